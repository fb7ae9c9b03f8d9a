#!/usr/bin/env bash
# Installs Board Companion as a service on Raspberry Pi OS or Debian (Bookworm, Trixie; 64 bit), from this
# checkout. Safe to run again: what is there is left or brought up to date, games are never touched.
#
# The program is a release: an environment in a folder of its own, made of what a lock names and never changed
# afterwards. A link says which release runs. Nothing from outside is run as root: libraries are fetched and built
# by an account without rights, and root only unpacks the wheels.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
CHECKOUT=$(cd "$HERE/../.." && pwd)
PREFIX=/opt/board-companion
RELEASES=$PREFIX/releases
CACHE=/var/cache/board-companion   # the files that the lock names, for a time without a network
STATE=/var/lib/board-companion
SETTINGS=/etc/default/board-companion
UNIT=/etc/systemd/system/board-companion.service
AVAHI=/etc/avahi/services/board-companion.service
KIOSK=/etc/xdg/autostart/board-companion.desktop        # the page on this screen: with a desktop,
KIOSK_UNIT=/etc/systemd/system/board-companion-kiosk.service   # and without one
DESKTOP=/etc/systemd/system/display-manager.service   # there where a desktop starts by itself
RULES=/etc/udev/rules.d/77-board-companion.rules
COMMAND=/usr/local/bin/companion
ACCOUNT=board-companion
KIOSK_ACCOUNT=board-companion-kiosk
NEEDED=(python3-venv ca-certificates avahi-daemon fonts-dejavu-core)   # the font: names on score sheets
WELCOME=(python3-picamera2 python3-lgpio)   # only Raspberry Pi OS has the first
GROUPS_WANTED=(dialout video gpio render)
KIOSK_GROUPS_WANTED=(video render audio)   # whom seatd lets in; the graphics chip; sound

BUILDER=64817   # the number of an account that does not exist, for work without any right

action=install dry=no kiosk=no chess="" port=8000 source="" release="" work="" trouble=""

usage() {
  cat <<'WORDS'
install.sh [install|update|rollback|sources|uninstall] [--source S] [--port P] [--kiosk] [--without-chess] [--dry-run]

  install    sets everything up and starts the service (run it again for an update)
  update     the same, after 'git pull'; settings and games stay. The release before is kept
  rollback   goes back to the release before
  sources    looks again at what is plugged in, and has the service use that (or what --source names)
  uninstall  takes the program away; games and profiles stay
  --source   what sees the board: picamera, camera:0, serial:, chessnut, or virtual. Else what is plugged in: a
             camera, a sensor grid, e-boards, or all; with none of them, virtual. Only where no settings are there yet.
  --port     where the page is served (8000). Only where no settings are there yet.
  --kiosk    also shows the page on this machine's own screen: on a desktop from the next login on, and
             without a desktop by a service of its own
  --without-chess   leaves out the library for chess, which is under the GPL; --with-chess brings it again
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
      install | update | rollback | sources | uninstall) action=$1 ;;
      --source) [ $# -gt 1 ] || complain "--source needs a source, as picamera"; source=$2; shift ;;
      --port) [ $# -gt 1 ] || complain "--port needs a number"; port=$2; shift ;;
      --kiosk) kiosk=yes ;;
      --without-chess) chess=no ;;
      --with-chess) chess=yes ;;
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

# A kernel of 64 bit may run a system of 32: the system counts, for which some libraries have no files.
system() {
  local kind
  kind=$(dpkg --print-architecture 2> /dev/null || uname -m)
  case $kind in
    amd64 | arm64 | x86_64 | aarch64) ;;
    *) complain "this system is of 32 bit ($kind), for which libraries are missing: install Raspberry Pi OS (64-bit)" ;;
  esac
}

packages() {
  say "packages"
  run apt-get update -qq || say "no new lists of packages: is there a network?"
  local wanted=("${NEEDED[@]}")
  mapfile -t -O "${#wanted[@]}" wanted < <(
    apt-cache show --no-all-versions "${WELCOME[@]}" 2> /dev/null | sed -n 's/^Package: //p'
  )
  run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${wanted[@]}" ||
    dpkg-query --show "${wanted[@]}" > /dev/null || complain "apt cannot install what is needed: see above"
}

account() {
  say "account $ACCOUNT"
  if ! id "$ACCOUNT" > /dev/null 2>&1; then
    run useradd --system --user-group --home-dir "$STATE" --no-create-home --shell /usr/sbin/nologin "$ACCOUNT"
  fi
  local group
  for group in $(known_groups "${GROUPS_WANTED[@]}"); do run usermod --append --groups "$group" "$ACCOUNT"; done
  run install -d -m 0700 -o "$ACCOUNT" -g "$ACCOUNT" "$STATE"
}

# Those of some groups that there are here.
known_groups() {
  local group
  for group in "$@"; do
    if getent group "$group" > /dev/null; then echo "$group"; fi
  done
}

# Makes a release beside the one that runs, and tries it. Nothing refers to it yet, nor runs it if power is cut here.
program() {
  prune
  release=$RELEASES/$(next_number)
  say "program in $release"
  work=/var/tmp/board-companion.XXXXXXXX
  if [ "$dry" = no ]; then
    work=$(mktemp --directory "$work")
    trap 'rm -rf "$work"; [ -e "$release/complete" ] || rm -rf "$release"' EXIT
  fi
  lay_out
  fetch
  build
  fill
  say "trying it"
  run setpriv --reuid="$ACCOUNT" --regid="$ACCOUNT" --init-groups "$release/bin/python" -P -m hardware.trial
  if [ -e "$PREFIX/current" ]; then run ln -sfn "$(readlink -f "$PREFIX/current")" "$release/previous"; fi
  run touch "$release/complete"
}

# Takes away every release but the one that runs and the one before it.
prune() {
  local one running before
  running=$(readlink -f "$PREFIX/current" || true)
  before=$(readlink -f "$PREFIX/current/previous" || true)
  for one in "$RELEASES"/*; do
    if [ -d "$one" ] && [ "$one" != "$running" ] && [ "$one" != "$before" ]; then run rm -rf "$one"; fi
  done
}

next_number() {
  local newest
  newest=$(find "$RELEASES" -mindepth 1 -maxdepth 1 -printf '%f\n' 2> /dev/null | sort -n | tail -n 1 || true)
  echo $((${newest:-0} + 1))
}

# What a release has beside its libraries: the lock that it is made of, its service, its README.
lay_out() {
  local lock=run
  if system_numpy_is_old; then
    # picamera2 from apt is built for the NumPy that apt has, and breaks with a newer generation.
    say "NumPy 1, as the system's camera library needs it"
    lock=run-numpy1
  fi
  if is_chess_wanted; then cat "$CHECKOUT/locks/$lock.txt"; else without_chess < "$CHECKOUT/locks/$lock.txt"; fi |
    place "$release/lock.txt" 0644
  place "$release/README.md" 0644 < "$CHECKOUT/README.md"
  sed "s/@GROUPS@/$(known_groups "${GROUPS_WANTED[@]}" | tr '\n' ' ' | sed 's/ $//')/" "$HERE/board-companion.service" |
    place "$release/board-companion.service" 0644
}

# An update keeps to what was chosen before.
is_chess_wanted() {
  if [ -n "$chess" ]; then [ "$chess" = yes ]; return; fi
  [ ! -e "$PREFIX/current/lock.txt" ] || grep -q '^chess==' "$PREFIX/current/lock.txt"
}

without_chess() { awk '/^[^ #]/ { skip = /^chess==/ } !skip'; }

# Does a command without any right, in a folder that is thrown away. A sudo's environment may name a proxy: it stays.
unprivileged() {
  run env HOME="$work" TMPDIR="$work" setpriv --reuid="$BUILDER" --regid="$BUILDER" --clear-groups --no-new-privs "$@"
}

pip_there() {
  unprivileged "$work/tools/bin/python" -m pip --quiet --disable-pip-version-check --no-cache-dir "$@"
}

# Brings the files that the locks name, each checked by its hash: from the cache alone if they are there.
fetch() {
  local how words cached="--no-index --find-links $CACHE"
  run install -d "$CACHE"
  run cp "$CHECKOUT/locks/build.txt" "$release/lock.txt" "$work"
  run chown -R "$BUILDER" "$work"
  unprivileged python3 -m venv "$work/tools"
  for how in "$cached" "--find-links $CACHE" ""; do
    # shellcheck disable=SC2086 # options, in words
    if words=$(fetch_by $how 2>&1); then
      [ "$dry" = no ] || echo "$words"
      [ "$how" = "$cached" ] || keep_files
      return
    fi
  done
  echo "$words" | tail -n 3 >&2
  complain "libraries are missing in $CACHE and cannot be fetched: connect a network, and run this again"
}

# What comes as source alone is looked into with the locked tools, so these come first.
fetch_by() {
  pip_there download --no-deps --require-hashes --dest "$work/files" "$@" -r "$work/build.txt" &&
    pip_there install --no-deps --require-hashes --no-index --find-links "$work/files" -r "$work/build.txt" &&
    pip_there download --no-deps --require-hashes --no-build-isolation --dest "$work/files" "$@" -r "$work/lock.txt"
}

keep_files() {
  run rm -rf "$CACHE.new"
  run cp -R --no-dereference --no-preserve=all "$work/files" "$CACHE.new"
  run rm -rf "$CACHE"
  run mv "$CACHE.new" "$CACHE"
}

build() {
  local parts=(pyproject.toml README.md LICENSE companion vision firmware_bridge broker_bridge opponent web hardware hall)
  pip_there wheel --no-deps --require-hashes --no-build-isolation --no-index --find-links "$work/files" \
    --wheel-dir "$work/wheels" -r "$work/lock.txt"
  run install -d "$work/source"
  run cp -R --no-preserve=ownership "${parts[@]/#/$CHECKOUT/}" "$work/source"
  run chmod -R a+rX "$work/source"
  pip_there wheel --no-deps --no-build-isolation --no-index --wheel-dir "$work/wheels" "$work/source"
}

# Everything of the lock is put in, also what the system has: a release is exactly its lock.
fill() {
  run python3 -m venv --system-site-packages "$release"
  run "$release/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-index --force-reinstall \
    "$work"/wheels/*.whl
}

# Makes a release the one that runs. The link is renamed: a power cut leaves the old one or the new one.
switch_to() {
  say "$(basename "$1") is the release that runs"
  run sync
  run ln -sfn "$1" "$PREFIX/current.new"
  run mv -T "$PREFIX/current.new" "$PREFIX/current"
  run ln -sfn "$PREFIX/current/bin/companion" "$COMMAND"
  run sync
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
  local pin sources
  pin=$(od -An -N4 -tu4 /dev/urandom | awk '{ printf "%06d", $1 % 1000000 }')
  sources=$(chosen_sources "$release")
  place "$SETTINGS" 0640 "root:$ACCOUNT" <<SETTINGS
# What 'companion run' is told; 'companion run --help' lists it. Then: sudo systemctl restart board-companion
# After another camera or grid was plugged in: sudo hardware/pi/install.sh sources
COMPANION_ARGS="--host 0.0.0.0 --port $port $sources"
# The arbiter's PIN: whoever knows it gives out seats and may act for all.
COMPANION_PIN=$pin
# The mains here: 50 or 60 Hz, by which lamps flicker. Without it the time zone tells.
#COMPANION_MAINS_HZ=50
SETTINGS
}

# The options that name the sources: what was asked for, else what is plugged in.
chosen_sources() {
  local found
  if [ -n "$source" ]; then
    echo "--source $source"
  elif [ "$dry" = yes ]; then
    echo "--source WHAT-IS-PLUGGED-IN"
  elif found=$(plugged_in "$1") && [[ $found =~ ^(--source\ [A-Za-z0-9:/_.@+-]+\ ?)+$ ]]; then
    [ "$found" != "--source virtual" ] || no_source >&2
    echo "$found"
  else
    say "it cannot be told what is plugged in" >&2
    no_source >&2
    echo "--source virtual"
  fi
}

# Asks a release, with the rights that the service has: what it may not open it cannot use.
plugged_in() {
  setpriv --reuid="$ACCOUNT" --regid="$ACCOUNT" --init-groups "$1/bin/python" -P -m hardware.plugged_in
}

no_source() {
  say "no camera and no sensor grid are used: the table on the page is a virtual one. Plug one in, and then:"
  say "  sudo hardware/pi/install.sh sources"
}

# Has the service use what is plugged in now.
change_sources() {
  local running sources written
  if [ "$dry" = no ]; then
    [ -e "$SETTINGS" ] || complain "there are no settings in $SETTINGS yet: run install.sh first"
    grep -q '^COMPANION_ARGS=".*"$' "$SETTINGS" ||
      complain "$SETTINGS has no line COMPANION_ARGS=\"…\": write one, as COMPANION_ARGS=\"--source picamera\""
  fi
  # While it runs it has the ports, and nobody else can ask what is behind them.
  if [ -z "$source" ]; then run systemctl stop board-companion.service || true; fi
  running=$(readlink -f "$PREFIX/current" || true)
  sources=$(chosen_sources "$running")
  say "settings in $SETTINGS: $sources"
  if [ "$dry" = yes ]; then
    echo "  would write: $SETTINGS"
    service "${running:-$RELEASES/…}"
    return
  fi
  written=$(awk -v sources="$sources" '
    /^COMPANION_ARGS=/ {
      gsub(/ *--source[ =][^ "]+/, "")
      sub(/"$/, " " sources "\"")
    }
    { print }' "$SETTINGS")
  place "$SETTINGS" 0640 "root:$ACCOUNT" <<< "$written"
  service "$running" || complain "the service does not start: see journalctl -u board-companion"
}

# A value of the settings, or what it would be.
setting_port() {
  local found
  found=$(sed -n 's/^COMPANION_ARGS=.*--port \([0-9]*\).*/\1/p' "$SETTINGS" 2> /dev/null || true)
  echo "${found:-$port}"
}

# Starts the service of a release, as it was written for it.
service() {
  say "service"
  run install -m 0644 "$1/board-companion.service" "$UNIT.new" && run mv "$UNIT.new" "$UNIT" || return
  if [ "$dry" = no ] && ! command -v systemctl > /dev/null; then
    say "there is no systemd here: the service is not started"
    return
  fi
  run systemctl daemon-reload && run systemctl enable board-companion.service &&
    run systemctl restart board-companion.service
}

# A service that does not start is no reason to stop here: who mends it needs the rest, and the PIN.
start() {
  switch_to "$release"
  if service "$release"; then
    prune
  elif [ -e "$release/previous" ]; then
    switch_to "$(readlink -f "$release/previous")"
    if service "$(readlink -f "$PREFIX/current")"; then
      trouble="the new release does not start (journalctl -u board-companion): the one before runs again"
    else
      trouble="neither the new release nor the one before starts: see journalctl -u board-companion"
    fi
  else
    trouble="the service does not start: see journalctl -u board-companion"
  fi
}

rollback() {
  local before
  before=$(readlink -f "$PREFIX/current/previous" || true)
  [ "$dry" = yes ] || [ -e "$before/complete" ] || complain "there is no earlier release to go back to"
  switch_to "${before:-$RELEASES/…}"
  service "${before:-$RELEASES/…}" || complain "the service does not start: see journalctl -u board-companion"
}

name_on_the_network() {
  say "name on the network"
  sed "s/@PORT@/$(setting_port)/" "$HERE/avahi.service" | place "$AVAHI" 0644
}

# ModemManager writes to what may be a modem, which keeps an Arduino in its boot loader.
ports() {
  say "ports of controllers"
  place "$RULES" 0644 < "$HERE/board-companion.rules"
  if [ "$dry" = no ] && ! command -v udevadm > /dev/null; then return; fi
  run udevadm control --reload || say "the rules for ports count from the next start on"
}

display() {
  [ "$kiosk" = yes ] || return 0
  say "the page on this screen"
  if has_desktop; then kiosk_on_desktop; else kiosk_alone; fi
}

has_desktop() { [ -e "$DESKTOP" ]; }

kiosk_on_desktop() {
  browser_there || run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium || return
  fill_in "$HERE/kiosk.desktop" | place "$KIOSK" 0644
  # The page holds the screen awake while it is open; the desktop's own setting is for the time before.
  if command -v raspi-config > /dev/null; then
    run raspi-config nonint do_blanking 1 || say "screen blanking stays as it is: change it in raspi-config"
  fi
}

# Without a desktop: a compositor that shows one program, started by systemd on the first console.
kiosk_alone() {
  run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq cage seatd chromium || return
  if ! id "$KIOSK_ACCOUNT" > /dev/null 2>&1; then
    run useradd --system --user-group --home-dir "/var/lib/$KIOSK_ACCOUNT" --no-create-home \
      --shell /usr/sbin/nologin "$KIOSK_ACCOUNT"
  fi
  fill_in "$HERE/board-companion-kiosk.service" | place "$KIOSK_UNIT" 0644
  if [ "$dry" = no ] && ! command -v systemctl > /dev/null; then return; fi
  run systemctl daemon-reload && run systemctl enable --now seatd.service &&
    run systemctl enable board-companion-kiosk.service &&
    run systemctl restart board-companion-kiosk.service ||
    trouble=${trouble:-"the page does not show on this screen: see journalctl -u board-companion-kiosk"}
}

browser_there() { command -v chromium || command -v chromium-browser; }

# Fills a browser's and a page's address into what starts them.
fill_in() {
  local browser groups
  browser=$(browser_there || echo /usr/bin/chromium)
  groups=$(known_groups "${KIOSK_GROUPS_WANTED[@]}" | tr '\n' ' ' | sed 's/ $//')
  sed "s|@BROWSER@|$browser|; s|@PORT@|$(setting_port)|; s|@GROUPS@|$groups|" "$1"
}

farewell() {
  local address
  address="http://$(uname -n).local:$(setting_port)/"
  if [ -z "$trouble" ]; then echo "Board Companion runs: $address"; else echo "Its page will be $address"; fi
  if [ -t 1 ] && [ -r "$SETTINGS" ]; then
    echo "The arbiter's PIN: $(sed -n 's/^COMPANION_PIN=//p' "$SETTINGS")"
  else
    echo "The arbiter's PIN stands in $SETTINGS."   # what is printed goes into a log
  fi
  echo "What is there and works: sudo -u $ACCOUNT companion doctor --data $STATE"
}

install_all() {
  system
  packages
  account
  program
  settings
  start
  name_on_the_network
  ports
  display
  farewell
  [ -z "$trouble" ] || complain "$trouble"
}

uninstall() {
  say "taking the program away"
  local systemctl=(run systemctl)
  command -v systemctl > /dev/null || systemctl=(true)
  if [ -e "$KIOSK_UNIT" ]; then "${systemctl[@]}" disable --now board-companion-kiosk.service; fi
  if [ -e "$UNIT" ]; then "${systemctl[@]}" disable --now board-companion.service; fi
  run rm -f "$UNIT" "$AVAHI" "$RULES" "$KIOSK" "$KIOSK_UNIT" "$COMMAND"
  run rm -rf "$PREFIX" "$CACHE"
  "${systemctl[@]}" daemon-reload
  echo "Games and profiles stay in $STATE, settings in $SETTINGS."
  echo "To remove them as well: sudo rm -r $STATE $SETTINGS && sudo userdel $ACCOUNT"
}

main() {
  parse "$@"
  cd /
  case $action in
    install | update) install_all ;;
    rollback) rollback ;;
    sources) change_sources ;;
    uninstall) uninstall ;;
  esac
}

# A test reads the functions alone.
[ "${BASH_SOURCE[0]:-$0}" != "$0" ] || main "$@"
