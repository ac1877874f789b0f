#!/bin/sh
# usage: run.sh [--help] [executors]
#
# Broadcasts a table of 200,000 names to the executors of a Spark cluster in this machine (2, or as many as are named) as a group of an
# exchange space: Spark's broadcast carries 24 bytes, one executor fetches the table from the driver, and the others read its file. The
# executors' files are in a directory of their own, as those of another host are. Builds what is missing first. Prints how many executors
# have taken part, how often the table was fetched by all of them together, and whether what they computed of it is right.
#
# exit status: that of the driver; 1 if the build failed, 2 wrong usage.

set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
root=$here/../../..
. "$root/scripts/karmi-common.sh"
. "$root/scripts/setup.sh"

case ${1:-2} in
  --help) sed -n '2,/^$/s/^# \{0,1\}//p' "$0"; exit 0 ;;
  [1-9]) executors=${1:-2} ;;
  *) fail 2 "1 to 9 executors; run.sh --help" ;;
esac
need_jdk
spark=$root/scripts/examples/spark/target/spark.classpath
jar=$root/retrofit-tool/karmi/target/karmi.jar
if [ ! -e "$spark" ] || [ ! -e "$jar" ]; then
  need_maven
  (cd "$root" && "$MVN" -q -B -ntp -DskipTests -pl scripts/examples/spark,retrofit-tool/karmi -am package </dev/null) || fail 1 "the build failed; see above"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/classes" "$work/jars" "$work/driver" "$work/executors" "$work/tmp"
: >"$work/RELEASE" # Spark looks for its jars as in an installation
tr ':' '\n' <"$spark" | while read -r each; do ln -sf "$each" "$work/jars/"; done
"$JAVA_HOME/bin/javac" -proc:none -Xlint:-options -d "$work/classes" -cp "$jar:$(cat "$spark")" "$here/SharedTable.java"

opens="--add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/java.util=ALL-UNNAMED \
--add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.lang.invoke=ALL-UNNAMED"
case $JAVA_VERSION in
  2[4-9]* | [3-9]?*) opens="$opens --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED" ;;
esac
SPARK_HOME=$work SPARK_SCALA_VERSION=2.13 SPARK_LOCAL_IP=127.0.0.1
export SPARK_HOME SPARK_SCALA_VERSION SPARK_LOCAL_IP JAVA_HOME
cd "$work"
# shellcheck disable=SC2086 # options are words without spaces
"$JAVA_HOME/bin/java" $opens -Djava.rmi.server.hostname=127.0.0.1 -Dkarmi.exchange.dir="$work/driver" \
  -Dspark.master="local-cluster[$executors,1,512]" -Dspark.executor.memory=512m -Dspark.app.name=SharedTable \
  -Dspark.executor.extraClassPath="$work/classes:$jar" \
  -Dspark.executor.extraJavaOptions="-Djava.rmi.server.hostname=127.0.0.1 -Dkarmi.exchange.dir=$work/executors" \
  -Dspark.driver.host=127.0.0.1 -Dspark.driver.bindAddress=127.0.0.1 -Dspark.ui.enabled=false -Dspark.local.dir="$work/tmp" \
  "-Dlog4j2.configurationFile=$root/scripts/examples/spark/log4j2.properties" \
  -cp "$work/classes:$jar:$(cat "$spark")" SharedTable
