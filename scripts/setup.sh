# Finds what a build needs, and installs the distribution's packages where it may. Sourced, never run; POSIX sh.
# Needs karmi-common.sh.

KARMI_LEAST_MAVEN=3.8

# The newest release of the JDK, which CI tests beside 17 and 25.
KARMI_NEWEST_JAVA=27

# May this user install packages here, without being asked anything?
can_install() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1
}

install_packages() {
  printf '%s: installing %s\n' "$KARMI_COMMAND" "$*" >&2
  karmi_log=$(mktemp)
  { apt-get update -qq && say_download "$@" \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"; } \
    3>&2 >"$karmi_log" 2>&1 </dev/null || { tail -n 5 "$karmi_log" >&2; rm -f "$karmi_log"; return 1; }
  rm -f "$karmi_log"
}

# Says how much these packages and what they need will download; to the terminal, past a log.
say_download() {
  karmi_size=$(LC_ALL=C apt-get install --assume-no --no-install-recommends "$@" 2>/dev/null </dev/null \
    | sed -n 's/^Need to get \(.*\) of archives.*/\1/p') || :
  [ -z "$karmi_size" ] || printf '%s:   downloads %s\n' "$KARMI_COMMAND" "$karmi_size" >&3
}

# Is there a compiler, young enough, in this home?
is_build_jdk() {
  [ -n "$1" ] && [ -x "$1/bin/javac" ] || return 1
  karmi_version=$(java_version_of "$1")
  [ "${karmi_version:-0}" -ge "$KARMI_LEAST_JAVA" ]
}

# Prints the JDK to build with: JAVA_HOME, the PATH, then what is installed. Nothing if there is none.
build_jdk() {
  for karmi_candidate in "${JAVA_HOME:-}" "$(java_home_on_path)" $(java_homes_well_known); do
    if is_build_jdk "$karmi_candidate"; then
      printf '%s\n' "$karmi_candidate"
      return
    fi
  done
}

# Prints the home of a JDK of exactly this feature version, or nothing.
jdk_of_version() {
  for karmi_candidate in "${JAVA_HOME:-}" "$(java_home_on_path)" $(java_homes_well_known); do
    if is_build_jdk "$karmi_candidate" && [ "$karmi_version" = "$1" ]; then
      printf '%s\n' "$karmi_candidate"
      return
    fi
  done
}

# Prints version and commit of a clone, and the JDK to build with; needs no build.
print_clone_version() {
  karmi_root=$(CDPATH='' cd -- "$KARMI_BIN/.." && pwd -P)
  karmi_jdk=$(build_jdk)
  if [ -n "${JAVA_HOME:-}" ] && ! is_build_jdk "$JAVA_HOME"; then
    karmi_jdk=
  fi
  printf 'KaRMI %s, commit %s, %s\n' \
    "$(sed -n 's|^  <version>\(.*\)</version>.*|\1|p' "$karmi_root/pom.xml" | head -n 1)" "$(clone_commit)" \
    "${karmi_jdk:+JDK $(java_full_version_of "$karmi_jdk") (}${karmi_jdk:-no JDK}${karmi_jdk:+)}"
}

# Makes a folder, and ends the command unless files can be written there: need_writable <folder> [what to do]
need_writable() {
  { mkdir -p -- "$1" && : >"$1/.written" && rm -f "$1/.written"; } 2>/dev/null \
    || fail 1 "cannot write into $1: ${2:-copy the clone to a folder that you can write to}"
}

# Prints the folder of Maven's local repository, as options or the user's settings name it. After need_jdk: a JVM takes
# the home of the user's account, and not HOME.
maven_repository() {
  karmi_user=$("$JAVA_HOME/bin/java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *user\.home = //p')
  karmi_user=${karmi_user:-$HOME}
  karmi_local=$(printf '%s\n' "${MAVEN_OPTS:-}" | sed -n 's/.*-Dmaven\.repo\.local=\([^ ]*\).*/\1/p')
  if [ -z "$karmi_local" ] && [ -f "$karmi_user/.m2/settings.xml" ]; then
    karmi_local=$(sed -n 's/.*<localRepository>\([^<$]*\)<.*/\1/p' "$karmi_user/.m2/settings.xml" | head -n 1)
  fi
  printf '%s\n' "${karmi_local:-$karmi_user/.m2/repository}"
}

# Sets and exports JAVA_HOME; installs a JDK if there is none. A JAVA_HOME that cannot build is an error: another JDK in
# its place would be a surprise.
need_jdk() {
  if [ -n "${JAVA_HOME:-}" ] && ! is_build_jdk "$JAVA_HOME"; then
    fail 1 "JAVA_HOME is $JAVA_HOME, but there is no JDK $KARMI_LEAST_JAVA or later with a compiler in it: correct or unset it"
  fi
  karmi_jdk=$(build_jdk)
  if [ -z "$karmi_jdk" ] && can_install; then
    install_packages openjdk-17-jdk-headless || install_packages default-jdk-headless || :
    karmi_jdk=$(build_jdk)
  fi
  [ -n "$karmi_jdk" ] || fail 1 "no JDK $KARMI_LEAST_JAVA or later found: install one (Debian, Ubuntu: apt-get install openjdk-17-jdk-headless) or set JAVA_HOME"
  JAVA_HOME=$karmi_jdk
  export JAVA_HOME
  JAVA_VERSION=$(java_version_of "$JAVA_HOME")
  # Maven 3 itself still calls what a young JDK warns about; the warning is not about this project.
  if [ "$JAVA_VERSION" -ge 24 ]; then
    MAVEN_OPTS="--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED ${MAVEN_OPTS:-}"
    export MAVEN_OPTS
  fi
}

# Prints the version of this mvn ("3.8.7"), or nothing.
maven_version_of() {
  "$1" -v 2>/dev/null | sed -n 's/.*Apache Maven \([0-9][0-9.]*\).*/\1/p' | head -n 1
}

is_build_maven() {
  [ -n "$1" ] && [ -x "$1" ] || return 1
  karmi_version=$(maven_version_of "$1")
  karmi_major=${karmi_version%%.*}
  karmi_minor=${karmi_version#*.}
  karmi_minor=${karmi_minor%%.*}
  [ "${karmi_major:-0}" -gt 3 ] || { [ "${karmi_major:-0}" -eq 3 ] && [ "${karmi_minor:-0}" -ge 8 ]; }
}

find_maven() {
  for karmi_candidate in "${MAVEN_HOME:+$MAVEN_HOME/bin/mvn}" "${M2_HOME:+$M2_HOME/bin/mvn}" \
    "$(command -v mvn 2>/dev/null)" /usr/share/maven/bin/mvn /opt/*maven*/bin/mvn \
    "$HOME"/.sdkman/candidates/maven/*/bin/mvn; do
    if is_build_maven "$karmi_candidate"; then
      printf '%s\n' "$karmi_candidate"
      return
    fi
  done
}

# Sets MVN; installs Maven if there is none. After need_jdk.
need_maven() {
  MVN=$(find_maven)
  if [ -z "$MVN" ] && can_install; then
    install_packages maven || :
    MVN=$(find_maven)
  fi
  [ -n "$MVN" ] || fail 1 "no Maven $KARMI_LEAST_MAVEN or later found: install it (Debian, Ubuntu: apt-get install maven) or put mvn on the PATH"
  # A build is over before the second compiler's code pays; an option of the user's says otherwise.
  MAVEN_OPTS="-XX:TieredStopAtLevel=1 ${MAVEN_OPTS:-}"
  export MAVEN_OPTS
}

# Installs a package for a test where it may; says so in a line where it may not: want <package> <what is skipped>
want() {
  if ! { can_install && install_packages "$1"; }; then
    printf '%s: no package %s: %s skipped\n' "$KARMI_COMMAND" "$1" "$2" >&2
  fi
}

# Whether one of these programs is on the PATH.
has_program() {
  for karmi_candidate in "$@"; do
    command -v "$karmi_candidate" >/dev/null 2>&1 && return
  done
  return 1
}

has_ucx() {
  ls /usr/lib/*/libucp.so.0 /usr/lib*/libucp.so.0 /usr/local/lib*/libucp.so.0 2>/dev/null | grep -q .
}

# What tests open the benchmarks' report with, press keys at, and send messages over.
want_for_tests() {
  has_program chromium chromium-browser google-chrome \
    || want chromium "the test that opens the report in a browser is"
  has_program zsh || want zsh "the test of its completion is"
  has_program gradle || want gradle "the test of a build by Gradle is"
  has_ucx || want libucx0 "the tests of technologies/ucx are"
}
