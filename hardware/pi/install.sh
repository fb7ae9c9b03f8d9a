#!/usr/bin/env bash
# Installs Board Companion as a service on Raspberry Pi OS or Debian (Bookworm, Trixie; 64 bit), from this
# checkout. Safe to run again: what is there is left or brought up to date, games are never touched.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
CHECKOUT=$(cd "$HERE/../.." && pwd)
PREFIX=/opt/board-companion
STATE=/var/lib/board-companion
SETTINGS=/etc/default/board-companion
UNIT=/etc/systemd/system/board-companion.service
AVAHI=/etc/avahi/services/board-companion.service
KIOSK=/etc/xdg/autostart/board-companion.desktop
COMMAND=/usr/local/bin/companion
ACCOUNT=board-companion
NEEDED=(python3-venv ca-certificates avahi-daemon fonts-dejavu-core)   # the font: names on score sheets
WELCOME=(python3-picamera2 python3-lgpio)   # only Raspberry Pi OS has the first
GROUPS_WANTED=(dialout video gpio render)

action=install dry=no kiosk=no port=8000 source=""

usage() {
  cat <<'WORDS'
install.sh [install|update|uninstall] [--source S] [--port P] [--kiosk] [--dry-run]

  install    sets everything up and starts the service (run it again for an update)
  update     the same, after 'git pull'; settings and games stay
  uninstall  takes the program away; games and profiles stay
  --source   what sees the board: picamera, camera:0, serial:, or virtual. Else picamera on a Pi that has
             the library, and camera otherwise. Only where no settings are there yet.
  --port     where the page is served (8000). Only where no settings are there yet.
  --kiosk    also shows the page on this machine's own screen, from the next login on
  --dry-run  says what would be done, and does nothing
WORDS
}

complain() { echo "install.sh: $*" >&2; exit 2; }

say() { echo "· $*"; }

# Does a command, or says it.
run() {
  if [ "$dry" = yes ]; then echo "  would run: $*"; else "$@"; fi
}

# Writes standard input to a file with a mode, and an owner where one is given. Until it has both, nobody else may read it.
place() {
  local path=$1 mode=$2 owner=${3:-root:root}
  if [ "$dry" = yes ]; then
    echo "  would write: $path"
    cat > /dev/null
    return
  fi
  install -d "$(dirname "$path")"
  rm -f "$path.new"
  (umask 077; cat > "$path.new")
  chmod "$mode" "$path.new"
  chown "$owner" "$path.new"
  mv "$path.new" "$path"
}

parse() {
  while [ $# -gt 0 ]; do
    case $1 in
      install | update | uninstall) action=$1 ;;
      --source) [ $# -gt 1 ] || complain "--source needs a source, as picamera"; source=$2; shift ;;
      --port) [ $# -gt 1 ] || complain "--port needs a number"; port=$2; shift ;;
      --kiosk) kiosk=yes ;;
      --dry-run) dry=yes ;;
      -h | --help) usage; exit 0 ;;
      *) complain "there is no '$1': ask install.sh --help" ;;
    esac
    shift
  done
  if ! [[ $port =~ ^[0-9]{4,5}$ ]] || [ "$port" -lt 1024 ] || [ "$port" -gt 65535 ]; then
    complain "--port takes a number from 1024 to 65535, not '$port'"
  fi
  [[ $source =~ ^[A-Za-z0-9:/_.@-]*$ ]] || complain "'$source' is no source: write one as picamera or camera:0"
  [ "$dry" = yes ] || [ "$(id -u)" = 0 ] || complain "run it with sudo: sudo hardware/pi/install.sh $action"
}

packages() {
  say "packages"
  run apt-get update -qq
  local wanted=("${NEEDED[@]}") package
  for package in "${WELCOME[@]}"; do
    if apt-cache show "$package" > /dev/null 2>&1; then wanted+=("$package"); fi
  done
  run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${wanted[@]}"
}

account() {
  say "account $ACCOUNT"
  if ! id "$ACCOUNT" > /dev/null 2>&1; then
    run useradd --system --user-group --home-dir "$STATE" --no-create-home --shell /usr/sbin/nologin "$ACCOUNT"
  fi
  local group
  for group in $(known_groups); do run usermod --append --groups "$group" "$ACCOUNT"; done
  run install -d -m 0700 -o "$ACCOUNT" -g "$ACCOUNT" "$STATE"
}

# The groups that devices belong to here.
known_groups() {
  local group
  for group in "${GROUPS_WANTED[@]}"; do
    if getent group "$group" > /dev/null; then echo "$group"; fi
  done
}

program() {
  say "program in $PREFIX"
  run install -d "$PREFIX"
  [ -x "$PREFIX/venv/bin/python" ] || run python3 -m venv --system-site-packages "$PREFIX/venv"
  if system_numpy_is_old; then
    # picamera2 from apt is built for the NumPy that apt has, and breaks with a newer generation.
    say "NumPy 1, as the system's camera library needs it"
    echo "numpy<2" | place "$PREFIX/constraints.txt" 0644
  else
    place "$PREFIX/constraints.txt" 0644 < /dev/null
  fi
  run "$PREFIX/venv/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade \
    --constraint "$PREFIX/constraints.txt" "${CHECKOUT}[chess]"
  place "$PREFIX/README.md" 0644 < "$CHECKOUT/README.md"
  run ln -sfn "$PREFIX/venv/bin/companion" "$COMMAND"
}

system_numpy_is_old() {
  /usr/bin/python3 -c 'import numpy, sys; sys.exit(int(numpy.__version__.split(".")[0]) >= 2)' 2> /dev/null
}

settings() {
  if [ -e "$SETTINGS" ]; then
    say "settings in $SETTINGS stay as they are"
    return
  fi
  say "settings in $SETTINGS"
  local pin
  pin=$(od -An -N4 -tu4 /dev/urandom | awk '{ printf "%06d", $1 % 1000000 }')
  place "$SETTINGS" 0640 "root:$ACCOUNT" <<SETTINGS
# What 'companion run' is told; 'companion run --help' lists it. Then: sudo systemctl restart board-companion
COMPANION_ARGS="--host 0.0.0.0 --port $port --source ${source:-$(likely_source)}"
# The arbiter's PIN: whoever knows it gives out seats and may act for all.
COMPANION_PIN=$pin
SETTINGS
}

likely_source() {
  if /usr/bin/python3 -c 'import picamera2' 2> /dev/null; then echo picamera; else echo camera; fi
}

# A value of the settings, or what it would be.
setting_port() {
  local found
  found=$(sed -n 's/^COMPANION_ARGS=.*--port \([0-9]*\).*/\1/p' "$SETTINGS" 2> /dev/null || true)
  echo "${found:-$port}"
}

service() {
  say "service"
  sed "s/@GROUPS@/$(known_groups | tr '\n' ' ' | sed 's/ $//')/" "$HERE/board-companion.service" | place "$UNIT" 0644
  run systemctl daemon-reload
  run systemctl enable board-companion.service
  run systemctl restart board-companion.service
}

name_on_the_network() {
  say "name on the network"
  sed "s/@PORT@/$(setting_port)/" "$HERE/avahi.service" | place "$AVAHI" 0644
}

display() {
  [ "$kiosk" = yes ] || return 0
  say "the page on this screen"
  local browser
  browser=$(command -v chromium || command -v chromium-browser || true)
  if [ -z "$browser" ]; then
    run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium
    browser=/usr/bin/chromium
  fi
  sed "s|@BROWSER@|$browser|; s|@PORT@|$(setting_port)|" "$HERE/kiosk.desktop" | place "$KIOSK" 0644
}

farewell() {
  echo "Board Companion runs: http://$(uname -n).local:$(setting_port)/"
  if [ -t 1 ] && [ -r "$SETTINGS" ]; then
    echo "The arbiter's PIN: $(sed -n 's/^COMPANION_PIN=//p' "$SETTINGS")"
  else
    echo "The arbiter's PIN stands in $SETTINGS."   # what is printed goes into a log
  fi
  echo "What is there and works: sudo -u $ACCOUNT companion doctor --data $STATE"
}

install_all() {
  packages
  account
  program
  settings
  service
  name_on_the_network
  display
  farewell
}

uninstall() {
  say "taking the program away"
  if [ -e "$UNIT" ]; then run systemctl disable --now board-companion.service; fi
  run rm -f "$UNIT" "$AVAHI" "$KIOSK" "$COMMAND"
  run rm -rf "$PREFIX"
  run systemctl daemon-reload
  echo "Games and profiles stay in $STATE, settings in $SETTINGS."
  echo "To remove them as well: sudo rm -r $STATE $SETTINGS && sudo userdel $ACCOUNT"
}

parse "$@"
case $action in
  install | update) install_all ;;
  uninstall) uninstall ;;
esac
