#!/bin/sh
# usage: run.sh [--help] Q1|Q3 [kryo|uka|uka-slim [orders]]
#
# Runs a query of this folder on Flink in this machine (two slots), its generic types on Flink's Kryo or on UKA (the default), which is one
# line of config.yaml; uka-slim is the line for classes that do not change. Builds what is missing first. Prints what the query computed,
# and what it took: elapsed time, and processor time of all threads.
#
# exit status: that of the query; 1 if the build failed, 2 wrong usage.

set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
root=$here/../../..
. "$root/scripts/karmi-common.sh"
. "$root/scripts/setup.sh"

case ${1:---help} in
  --help) sed -n '2,/^$/s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
query=$1
serializer=${2:-uka}
case $query in
  Q1 | Q3) ;;
  *) fail 2 "no query $query; run.sh --help" ;;
esac
case $serializer in
  kryo) class= ;;
  uka) class=UkaKryoSerializer ;;
  uka-slim) class=UkaSlimKryoSerializer ;;
  *) fail 2 "no serializer $serializer; run.sh --help" ;;
esac
case ${3-1} in
  [1-9]*[!0-9]* | [!1-9]* | '') fail 2 "no number of orders: $3; run.sh --help" ;;
esac
need_jdk
if [ ! -e "$here/target/flink.classpath" ] || [ ! -e "$root/uka-serialization/engines/flink/target/classes/io/karmi/flink/UkaKryoSerializer.class" ] ||
  [ ! -e "$root/retrofit-tool/karmi/target/karmi.jar" ]; then
  need_maven
  attend "$MVN" -q -B -ntp -f "$root/pom.xml" -DskipTests -pl uka-serialization/engines/flink,retrofit-tool/karmi -am package || fail 1 "the build failed; see above"
fi

mkdir -p "$here/target/$serializer"
settings=$here/target/$serializer/config.yaml
{
  test -z "$class" ||
    echo "pipeline.serialization-config: \"[java.io.Serializable: {type: kryo, kryo-type: default, class: io.karmi.flink.$class}]\""
  # One JVM, whose threads a busy machine may not let run for long: nothing is gained by giving them up.
  printf 'rest.bind-address: 127.0.0.1\nrest.bind-port: 0\nheartbeat.timeout: 10 min\n'
} >"$settings"
options=
case $JAVA_VERSION in
  2[4-9]* | [3-9]?*) options="--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED" ;;
esac
# shellcheck disable=SC2086 # options are words without spaces
exec "$JAVA_HOME/bin/java" --add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/java.lang=ALL-UNNAMED \
  --add-opens=java.base/java.time=ALL-UNNAMED $options \
  -cp "$here/target/classes:$root/uka-serialization/engines/flink/target/classes:$root/retrofit-tool/karmi/target/karmi.jar:$(cat "$here/target/flink.classpath")" \
  examples.flink.Main "$here/target/$serializer" "$query" ${3:+"$3"}
