#!/bin/sh
# The benchmark of the engines: karmi-bench engines --help. Builds what is missing first.

set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
root=$here/../../../..
. "$root/scripts/karmi-common.sh"
. "$root/scripts/setup.sh"
need_jdk
if [ ! -e "$here/target/benchmarks.classpath" ] || [ ! -e "$here/target/classes/io/karmi/engines/EnginesMain.class" ] ||
  [ ! -e "$root/scripts/target/karmi.jar" ]; then
  need_maven
  (cd "$root" && "$MVN" -q -B -ntp -DskipTests -pl uka-serialization/engines/spark/benchmarks -am package </dev/null) ||
    fail 1 "the build failed; see above"
fi
exec "$JAVA_HOME/bin/java" "-Dkarmi.jar=$root/scripts/target/karmi.jar" -Djava.awt.headless=true \
  -cp "$here/target/classes:$here/../target/classes:$here/../examples/target/classes:$root/rmi-benchmarks/target/classes:$(cat "$here/target/benchmarks.classpath"):$root/scripts/target/karmi.jar" \
  io.karmi.engines.EnginesMain "$@"
