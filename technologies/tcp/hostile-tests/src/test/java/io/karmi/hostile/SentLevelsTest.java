package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.hostile.Besieged;
import io.karmi.contract.hostile.Methods;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.kit.Jvm;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.buffer.OutputBuffer;
import java.util.Arrays;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.Test;

/**
 * Levels of logging, and bundles of its records, that peers send: the JDK keeps each one that it
 * does not know.
 */
public class SentLevelsTest {
  private static final int MANY = 2_000;

  private static final long ECHO = Methods.hash("echo(Ljava/lang/Object;)Ljava/lang/Object;");

  @Test
  public void ofNewOnesSomeAreReadAndKnownOnesAlways() throws Exception {
    try (Jvm node = Jvm.start("-Xmx64m", Besieged.class.getName())) {
      int port = Integer.parseInt(node.awaitLine("port "));
      long object = Long.parseLong(node.awaitLine("object "));
      SocketDoor door = new SocketDoor(port);
      assertThat(echo(door, object, Level.INFO)).isEqualTo(RawPeer.RETURNED);
      assertThat(echo(door, object, levels(10))).isEqualTo(RawPeer.RETURNED);
      assertThat(echo(door, object, levels(MANY))).isEqualTo(RawPeer.THROWN);
      assertThat(echo(door, object, Level.INFO)).isEqualTo(RawPeer.RETURNED);
      assertThat(echo(door, object, levels(10))).isEqualTo(RawPeer.RETURNED);
    }
  }

  @Test
  public void ofRecordsWithNewBundlesSomeAreRead() throws Exception {
    try (Jvm node = Jvm.start("-Xmx64m", Besieged.class.getName())) {
      int port = Integer.parseInt(node.awaitLine("port "));
      long object = Long.parseLong(node.awaitLine("object "));
      SocketDoor door = new SocketDoor(port);
      assertThat(echo(door, object, records(10))).isEqualTo(RawPeer.RETURNED);
      assertThat(echo(door, object, records(MANY))).isEqualTo(RawPeer.THROWN);
      assertThat(echo(door, object, records(10))).isEqualTo(RawPeer.RETURNED);
    }
  }

  private static LogRecord[] records(int count) {
    LogRecord[] records = new LogRecord[count];
    for (int i = 0; i < count; i++) {
      records[i] = new LogRecord(Level.INFO, "message");
      records[i].setResourceBundleName("bundle" + i);
    }
    return records;
  }

  private static Level[] levels(int count) {
    Level[] levels = new Level[count];
    Arrays.setAll(levels, i -> Level.parse(String.valueOf(1_000_000 + i)));
    return levels;
  }

  private static int echo(SocketDoor door, long object, Object value) throws Exception {
    OutputBuffer bytes = new OutputBuffer(16);
    new UkaObjectOutputStream(bytes).writeObject(value);
    try (RawPeer peer = RawPeer.introduced(door, 1, 2)) {
      return peer.call(object, ECHO, Arrays.copyOf(bytes.bytes, bytes.position))[0];
    }
  }
}
