#!/bin/sh
# usage: run.sh [--help] JOB [java|kryo|uka|agent [size]]
#
# Runs a job of this folder on Spark in this machine (two threads): WORDCOUNT, PAGERANK, KMEANS, CLOSURE, SORT or ALL. The jar is the
# same for every serializer: Spark's Java or Kryo serializer, UKA's (spark.serializer=io.karmi.spark.UkaSerializer; the default), or
# Spark's Java serializer under the agent. Builds what is missing first. Prints what each job computed, and what it took: elapsed time,
# and processor time of all threads. A size is 4 or more.
#
# exit status: that of the job; 1 if the build failed, 2 wrong usage.

set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
root=$here/../../..
. "$root/scripts/karmi-common.sh"
. "$root/scripts/setup.sh"

case ${1:---help} in
  --help) sed -n '2,/^$/s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
job=$1
serializer=${2:-uka}
case $job in
  WORDCOUNT | PAGERANK | KMEANS | CLOSURE | SORT | ALL) ;;
  *) fail 2 "no job $job; run.sh --help" ;;
esac
case $serializer in
  java | kryo | uka | agent) ;;
  *) fail 2 "no serializer $serializer; run.sh --help" ;;
esac
case ${3-1} in
  [1-9]*[!0-9]* | [!1-9]* | '') fail 2 "no size: $3; run.sh --help" ;;
esac
need_jdk
if [ ! -e "$here/target/spark.classpath" ] || [ ! -e "$root/uka-serialization/engines/spark/target/classes/io/karmi/spark/UkaSerializer.class" ] ||
  [ ! -e "$root/retrofit-tool/karmi/target/karmi.jar" ]; then
  need_maven
  attend "$MVN" -q -B -ntp -f "$root/pom.xml" -DskipTests -pl uka-serialization/engines/spark -am package || fail 1 "the build failed; see above"
fi

path=$here/target/classes:$(cat "$here/target/spark.classpath")
set -- "$job" ${3:+"$3"}
case $serializer in
  java) options= ;;
  kryo) options="-Dspark.serializer=org.apache.spark.serializer.KryoSerializer" ;;
  uka)
    options="-Dspark.serializer=io.karmi.spark.UkaSerializer"
    path=$root/uka-serialization/engines/spark/target/classes:$root/retrofit-tool/karmi/target/karmi.jar:$path ;;
  agent) options="-javaagent:$root/retrofit-tool/karmi/target/karmi.jar" ;;
esac
case $JAVA_VERSION in
  2[4-9]* | [3-9]?*) options="$options --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED" ;;
esac
SPARK_LOCAL_IP=127.0.0.1
export SPARK_LOCAL_IP
# shellcheck disable=SC2086 # options are words without spaces
exec "$JAVA_HOME/bin/java" --add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/java.util=ALL-UNNAMED \
  --add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.lang.invoke=ALL-UNNAMED $options \
  -Dspark.master='local[2]' -Dspark.app.name="$job" -Dspark.driver.host=127.0.0.1 -Dspark.driver.bindAddress=127.0.0.1 \
  -Dspark.ui.enabled=false "-Dlog4j2.configurationFile=$here/log4j2.properties" -cp "$path" examples.spark.Main "$@"
