"""The server under the application: its settings and security, waitress with its threads, and HTTPS."""
