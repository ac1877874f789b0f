package io.karmi.engines;

import examples.spark.Order;
import io.karmi.benchmarks.measure.FreePort;
import io.karmi.benchmarks.measure.Measurement;
import io.karmi.exchange.ExchangeSpace;
import io.karmi.exchange.Group;
import io.karmi.exchange.server.ExchangeServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.broadcast.TorrentBroadcast$;
import org.apache.spark.io.CompressionCodec;
import org.apache.spark.io.CompressionCodec$;
import org.apache.spark.serializer.Serializer;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * A broadcast as Spark makes it: serialized, compressed, cut in blocks, and put together again.
 *
 * <p>In one JVM a broadcast is never read back; these are the two halves of what Spark does between
 * JVMs. With an exchange space the value is a group: who broadcasts puts it, and a reader makes its
 * objects from the file of its host.
 */
final class Broadcasts implements AutoCloseable {
  /** As {@code spark.broadcast.blockSize} is unless set. */
  private static final int BLOCK_BYTES = 4 << 20;

  private @Nullable ExchangeServer server;
  private @Nullable ExchangeSpace space;

  /**
   * @param byGroups whether values are groups of an exchange space, whose directory runs here
   */
  Broadcasts(boolean byGroups) throws IOException {
    if (byGroups) {
      int port = FreePort.next();
      server = ExchangeServer.start(port);
      space = ExchangeSpace.join("//127.0.0.1:" + port + "/exchange");
    }
  }

  List<Measurement> measure(HashMap<String, Order> table) throws IOException {
    SparkEnv spark = SparkEnv.get();
    Serializer serializer = spark.serializer();
    Option<CompressionCodec> codec =
        Option.apply(CompressionCodec$.MODULE$.createCodec(spark.conf()));
    ClassTag<Object> tag = ClassTag$.MODULE$.Object();
    long begin = ProcessorTime.ofThread();
    Group<Object> group = space == null ? null : space.put(table);
    Object value = group == null ? table : group;
    ByteBuffer[] blocks =
        TorrentBroadcast$.MODULE$.blockifyObject(value, BLOCK_BYTES, serializer, codec, tag);
    long written = ProcessorTime.ofThread();
    InputStream[] streams = new InputStream[blocks.length];
    long bytes = group == null ? 0 : group.lengthBytes();
    for (int i = 0; i < blocks.length; i++) {
      bytes += blocks[i].remaining();
      byte[] block = new byte[blocks[i].remaining()];
      blocks[i].duplicate().get(block);
      streams[i] = new ByteArrayInputStream(block);
    }
    long ready = ProcessorTime.ofThread();
    Object come = TorrentBroadcast$.MODULE$.unBlockifyObject(streams, serializer, codec, tag);
    Object copy = come instanceof Group<?> shared ? shared.copy() : come;
    long read = ProcessorTime.ofThread();
    if (group != null) {
      ((Group<?>) come).close();
      group.close();
    }
    String seen = checksum((HashMap<?, ?>) copy);
    if (!seen.equals(checksum(table))) {
      throw new IllegalStateException("broadcast: " + seen + ", not " + checksum(table));
    }
    return List.of(
        Service.measured("broadcast: write", written - begin, bytes, seen),
        Service.measured("broadcast: read", read - ready, -1, seen));
  }

  @Override
  public void close() throws IOException {
    if (space != null && server != null) {
      space.close();
      server.close();
    }
  }

  private static String checksum(HashMap<?, ?> table) {
    long sum = 0;
    for (Object each : table.values()) {
      sum += Workload.checksum(each);
    }
    return table.size() + " entries, " + sum;
  }
}
