// How the page's code is linted. The command runs at the repository's root: patterns start there.

import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    rules: {
      complexity: ["error", 12],
      "consistent-return": "error",
      curly: ["error", "multi-line"],
      "default-param-last": "error",
      eqeqeq: "error",
      "max-len": ["error", { code: 120 }],
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
      "max-params": ["error", 5],
      "no-nested-ternary": "error",
      "no-sequences": "error",
      "no-shadow": "error",
      "no-unused-expressions": "error",
      "no-use-before-define": ["error", { functions: false, classes: false }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
  { files: ["web/static/js/**"], languageOptions: { globals: globals.browser } },
  {
    files: ["web/static/js/service_worker.js"],
    languageOptions: { sourceType: "script", globals: globals.serviceworker },
  },
  {
    files: ["tests/web/page/**"],
    languageOptions: { globals: globals.node },
    rules: { "max-lines-per-function": "off" },
  },
];
