# What the KaRMI commands share: where KaRMI lives, and which JDK to use. Sourced, never run; POSIX sh.
#
# The commands are the same files in a checkout (scripts/) and in the distribution (bin/); only KARMI_HOME differs.

KARMI_COMMAND=$(basename "$0")
KARMI_BIN=$(dirname -- "$(readlink -f -- "$0")")
KARMI_LEAST_JAVA=17

# One line on standard error, and the end: fail <exit code> <words...>
fail() {
  karmi_code=$1
  shift
  printf '%s: %s\n' "$KARMI_COMMAND" "$*" >&2
  exit "$karmi_code"
}

# Runs a command to its end, without input. A signal that ends this script ends the command before: attend <command...>
attend() {
  "$@" </dev/null &
  karmi_child=$!
  trap 'end_attended 130' INT
  trap 'end_attended 143' HUP TERM
  karmi_status=0
  wait "$karmi_child" || karmi_status=$?
  trap - HUP INT TERM
  return "$karmi_status"
}

end_attended() {
  trap '' HUP INT TERM
  kill "$karmi_child" 2>/dev/null || :
  wait "$karmi_child" || :
  exit "$1"
}

usage_error() {
  fail 2 "$* (see $KARMI_COMMAND --help)"
}

# The comment block at the top of the command is its help.
print_help() {
  sed -n '2,${/^#/!q;s/^# \{0,1\}//;p;}' "$0" 2>/dev/null \
    || fail 1 "cannot write to standard output; its disk may be full"
}

# Prints version, commit and JDK, and ends the command. After find_java and find_karmi.
print_version() {
  exec "$JAVA_HOME/bin/java" -cp "$KARMI_JAR" io.karmi.retrofit.cli.Main --version
}

# Prints the commit of a clone, with a + if files differ from it. Sources in another project's repository are no clone.
clone_commit() {
  { [ -e "$KARMI_BIN/../.git" ] && git -C "$KARMI_BIN/.." describe --always --dirty=+ --abbrev=12 2>/dev/null; } \
    || printf 'unknown (built without git)\n'
}

# Prints the version (1.8.0_402, 17.0.15) of a JDK's home, or nothing if there is no working java in it.
java_full_version_of() {
  [ -x "$1/bin/java" ] || return 0
  karmi_version=$(sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' "$1/release" 2>/dev/null) || :
  if [ -z "$karmi_version" ]; then
    karmi_version=$("$1/bin/java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p' | head -n 1)
  fi
  printf '%s\n' "$karmi_version"
}

# The same as a feature version: 8, 17, 25.
java_version_of() {
  karmi_version=$(java_full_version_of "$1")
  case $karmi_version in
    1.*) karmi_version=${karmi_version#1.} ;;
  esac
  printf '%s\n' "${karmi_version%%[!0-9]*}"
}

# The home of the `java` on the PATH; prints nothing if there is none.
java_home_on_path() {
  karmi_java=$(command -v java 2>/dev/null) || return 0
  dirname -- "$(dirname -- "$(readlink -f -- "$karmi_java")")"
}

# Homes in the places where installers put JDKs, one per line.
java_homes_well_known() {
  for karmi_candidate in /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* /opt/*jdk* \
    "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    [ -x "$karmi_candidate/bin/java" ] && [ ! -L "$karmi_candidate" ] \
      && printf '%s\n' "$karmi_candidate"
  done
  return 0
}

# Sets JAVA_HOME for running: the user's JAVA_HOME, else the java on the PATH, else what is installed. The first one
# that is there decides, so that a command never runs another Java than the user's own without saying so.
find_java() {
  if [ -n "${JAVA_HOME:-}" ]; then
    [ -x "$JAVA_HOME/bin/java" ] || fail 1 "JAVA_HOME is $JAVA_HOME, but there is no bin/java in it"
    karmi_found=$JAVA_HOME
    karmi_named="JAVA_HOME ($JAVA_HOME)"
  else
    karmi_found=$(java_home_on_path)
    karmi_named="the java on the PATH ($karmi_found)"
  fi
  if [ -z "$karmi_found" ]; then
    for karmi_candidate in $(java_homes_well_known); do
      karmi_version=$(java_version_of "$karmi_candidate")
      if [ "${karmi_version:-0}" -ge "$KARMI_LEAST_JAVA" ]; then
        karmi_found=$karmi_candidate
        karmi_named=$karmi_candidate
        break
      fi
    done
  fi
  [ -n "$karmi_found" ] \
    || fail 1 "no Java found: install JDK $KARMI_LEAST_JAVA or later, or set JAVA_HOME"
  JAVA_VERSION=$(java_version_of "$karmi_found")
  [ -n "$JAVA_VERSION" ] || fail 1 "$karmi_named does not say its version; set JAVA_HOME to a JDK"
  [ "$JAVA_VERSION" -ge "$KARMI_LEAST_JAVA" ] \
    || fail 1 "$karmi_named is Java $JAVA_VERSION; $KARMI_LEAST_JAVA or later is needed"
  JAVA_HOME=$karmi_found
  export JAVA_HOME
}

# Sets KARMI_HOME, the folder with lib/karmi.jar. A checkout that has not been built yet is built, once.
find_karmi() {
  if [ -f "$KARMI_BIN/../lib/karmi.jar" ]; then
    KARMI_HOME=$(CDPATH='' cd -- "$KARMI_BIN/.." && pwd -P)
  elif [ -f "$KARMI_BIN/../pom.xml" ]; then
    KARMI_HOME=$KARMI_BIN/target/karmi
    [ -f "$KARMI_HOME/lib/karmi.jar" ] || build_checkout
  else
    fail 1 "lib/karmi.jar is missing beside $KARMI_BIN: unpack the distribution again"
  fi
  KARMI_JAR=$KARMI_HOME/lib/karmi.jar
  export KARMI_HOME
}

# Sets KARMI_CACHE, the folder for what is made once. A JVM runs what lies there, so it must be ours alone.
find_cache() {
  if [ -z "${KARMI_CACHE:-}" ]; then
    if [ -n "${XDG_CACHE_HOME:-}" ]; then
      KARMI_CACHE=$XDG_CACHE_HOME/karmi
    elif [ -n "${HOME:-}" ]; then
      KARMI_CACHE=$HOME/.cache/karmi
    else
      fail 1 "neither KARMI_CACHE nor XDG_CACHE_HOME nor HOME is set; set KARMI_CACHE to a folder of yours"
    fi
  fi
  (umask 077 && mkdir -p -- "$KARMI_CACHE") 2>/dev/null \
    || fail 1 "cannot make the cache $KARMI_CACHE; set KARMI_CACHE to a folder of yours"
  KARMI_CACHE=$(CDPATH='' cd -- "$KARMI_CACHE" 2>/dev/null && pwd -P) \
    || fail 1 "cannot enter the cache; set KARMI_CACHE to a folder of yours"
  only_ours "$KARMI_CACHE"
  karmi_above=$KARMI_CACHE
  while [ "$karmi_above" != / ]; do
    karmi_above=$(dirname -- "$karmi_above")
    ours_or_roots "$karmi_above"
  done
  [ -w "$KARMI_CACHE" ] || fail 1 "cannot write the cache $KARMI_CACHE; set KARMI_CACHE to a folder of yours"
}

# Ends the command unless the folder is its user's and no other user's to write.
only_ours() {
  karmi_mode=$(mode_and_owner_of "$1")
  case $karmi_mode in
    ?????-??-?*" $(id -u)") ;;
    *) refuse_cache "$1" "must be user $(id -u)'s and writable by no other" ;;
  esac
}

# Ends the command if another user could put another folder in the place of one below this one.
ours_or_roots() {
  karmi_mode=$(mode_and_owner_of "$1")
  case $karmi_mode in
    *" $(id -u)" | *" 0") ;;
    *) refuse_cache "$1" "above the cache must be user $(id -u)'s or root's" ;;
  esac
  case $karmi_mode in
    ?????-??-?* | ?????????[tT]*) ;;
    *) refuse_cache "$1" "above the cache must be writable by no other user, or sticky" ;;
  esac
}

# Prints as ls does: drwxr-xr-x 1000
mode_and_owner_of() {
  ls -ldn -- "$1" | awk 'NR == 1 { print substr($1, 1, 10), $3 }'
}

refuse_cache() {
  fail 1 "$1 $2, but is $karmi_mode; set KARMI_CACHE to a folder of yours"
}

# Two commands started at once (a server, a client) must not build into each other.
build_checkout() {
  karmi_root=$(CDPATH='' cd -- "$KARMI_BIN/.." && pwd -P)
  command -v mvn >/dev/null 2>&1 \
    || fail 1 "this checkout is not built yet and Maven is missing: install Maven 3.8 or later, or run scripts/quickstart"
  karmi_lock=$karmi_root/scripts/target/.building
  mkdir -p "$karmi_root/scripts/target"
  if mkdir "$karmi_lock" 2>/dev/null; then
    trap 'rmdir "$karmi_lock" 2>/dev/null' EXIT
    trap 'exit 130' INT TERM
    printf '%s: building the checkout once (mvn -q -Dmaven.test.skip=true -pl scripts -am package)\n' "$KARMI_COMMAND" >&2
    attend mvn -q -B -f "$karmi_root/pom.xml" -Dmaven.test.skip=true -pl scripts -am package >&2 \
      || fail 1 "the build failed; see above"
    rmdir "$karmi_lock"
    trap - EXIT
  else
    karmi_waited=0
    while [ -d "$karmi_lock" ]; do
      [ "$karmi_waited" -lt 600 ] || fail 1 "another build has held $karmi_lock for ten minutes; remove it"
      sleep 1
      karmi_waited=$((karmi_waited + 1))
    done
    [ -f "$KARMI_HOME/lib/karmi.jar" ] || fail 1 "the build of another command failed; run mvn -DskipTests -pl scripts -am package"
  fi
}
