package io.karmi.engines;

import examples.spark.Order;
import io.karmi.benchmarks.measure.Measurement;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.broadcast.TorrentBroadcast$;
import org.apache.spark.io.CompressionCodec;
import org.apache.spark.io.CompressionCodec$;
import org.apache.spark.serializer.Serializer;
import scala.Option;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * A broadcast as Spark makes it: serialized, compressed, cut in blocks, and put together again.
 *
 * <p>In one JVM a broadcast is never read back; these are the two halves of what Spark does between
 * JVMs.
 */
final class Broadcasts {
  /** As {@code spark.broadcast.blockSize} is unless set. */
  private static final int BLOCK_BYTES = 4 << 20;

  private Broadcasts() {}

  static List<Measurement> measure(HashMap<String, Order> table) {
    SparkEnv spark = SparkEnv.get();
    Serializer serializer = spark.serializer();
    Option<CompressionCodec> codec =
        Option.apply(CompressionCodec$.MODULE$.createCodec(spark.conf()));
    ClassTag<Object> tag = ClassTag$.MODULE$.Object();
    long begin = ProcessorTime.ofThread();
    ByteBuffer[] blocks =
        TorrentBroadcast$.MODULE$.blockifyObject(table, BLOCK_BYTES, serializer, codec, tag);
    long written = ProcessorTime.ofThread();
    InputStream[] streams = new InputStream[blocks.length];
    long bytes = 0;
    for (int i = 0; i < blocks.length; i++) {
      bytes += blocks[i].remaining();
      byte[] block = new byte[blocks[i].remaining()];
      blocks[i].duplicate().get(block);
      streams[i] = new ByteArrayInputStream(block);
    }
    long ready = ProcessorTime.ofThread();
    Object copy = TorrentBroadcast$.MODULE$.unBlockifyObject(streams, serializer, codec, tag);
    long read = ProcessorTime.ofThread();
    String seen = checksum((HashMap<?, ?>) copy);
    if (!seen.equals(checksum(table))) {
      throw new IllegalStateException("broadcast: " + seen + ", not " + checksum(table));
    }
    return List.of(
        Service.measured("broadcast: write", written - begin, bytes, seen),
        Service.measured("broadcast: read", read - ready, -1, seen));
  }

  private static String checksum(HashMap<?, ?> table) {
    long sum = 0;
    for (Object each : table.values()) {
      sum += Workload.checksum(each);
    }
    return table.size() + " entries, " + sum;
  }
}
