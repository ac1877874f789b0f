#!/bin/sh
# The benchmark of the engines: karmi-bench engines --help. Builds what is missing first.

set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
root=$here/../../..
. "$root/scripts/karmi-common.sh"
. "$root/scripts/setup.sh"
need_jdk
if [ ! -e "$here/target/benchmarks.classpath" ] || [ ! -e "$here/../flink/target/benchmarks.classpath" ] ||
  [ ! -e "$here/target/classes/io/karmi/engines/EnginesMain.class" ] ||
  [ ! -e "$root/retrofit-tool/karmi/target/karmi.jar" ]; then
  need_maven
  attend "$MVN" -q -B -ntp -f "$root/pom.xml" -DskipTests -pl rmi-benchmarks/engines/flink -am package ||
    fail 1 "the build failed; see above"
fi

# Their versions of Kryo differ: each engine has a class path of its own.
shared=$here/target/classes:$root/scripts/examples/spark/target/classes:$root/rmi-benchmarks/target/classes
of_flink=$here/../flink/target/classes:$root/uka-serialization/engines/flink/target/classes:$shared:$(cat "$here/../flink/target/benchmarks.classpath")
of_spark=$root/uka-serialization/engines/spark/target/classes:$shared:$(cat "$here/target/benchmarks.classpath")
karmi=$root/retrofit-tool/karmi/target/karmi.jar
exec "$JAVA_HOME/bin/java" "-Dkarmi.jar=$karmi" -Djava.awt.headless=true "-Dengines.flink.classpath=$of_flink:$karmi" -cp "$of_spark:$karmi" \
  io.karmi.engines.EnginesMain "$@"
