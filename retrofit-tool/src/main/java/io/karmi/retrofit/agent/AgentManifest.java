package io.karmi.retrofit.agent;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * A jar that has nothing but a manifest, which names the agent as that of an executable jar.
 *
 * <p>The JDK's {@code ZipOutputStream} loads the time zones for the date of an entry, which takes a
 * hundred times as long as to make these bytes.
 */
final class AgentManifest {
  private static final String NAME = "META-INF/MANIFEST.MF";
  private static final int LOCAL_HEADER = 0x04034b50;
  private static final int DIRECTORY_ENTRY = 0x02014b50;
  private static final int END = 0x06054b50;
  private static final int LOCAL_HEADER_BYTES = 30;
  private static final int DIRECTORY_ENTRY_BYTES = 46;
  private static final int END_BYTES = 22;
  private static final short VERSION = 10;
  private static final short FIRST_OF_JANUARY_1980 = 1 << 5 | 1;

  private AgentManifest() {}

  /**
   * The bytes of the jar.
   *
   * @param agent name of the agent's class
   */
  static byte[] jar(String agent) {
    byte[] name = NAME.getBytes(StandardCharsets.US_ASCII);
    String manifest = "Manifest-Version: 1.0\nLauncher-Agent-Class: " + agent + "\n";
    byte[] text = manifest.getBytes(StandardCharsets.US_ASCII);
    int directoryAt = LOCAL_HEADER_BYTES + name.length + text.length;
    int directoryBytes = DIRECTORY_ENTRY_BYTES + name.length;
    ByteBuffer out =
        ByteBuffer.allocate(directoryAt + directoryBytes + END_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    describe(out.putInt(LOCAL_HEADER), name, text);
    out.put(name).put(text);
    describe(out.putInt(DIRECTORY_ENTRY).putShort(VERSION), name, text);
    out.position(directoryAt + DIRECTORY_ENTRY_BYTES); // no comment, no attributes, at offset 0
    out.put(name);
    out.putInt(END).putInt(0).putShort((short) 1).putShort((short) 1);
    out.putInt(directoryBytes).putInt(directoryAt);
    return out.array();
  }

  /** What both headers say of the entry, which is stored as it is. */
  private static void describe(ByteBuffer out, byte[] name, byte[] text) {
    CRC32 check = new CRC32();
    check.update(text);
    out.putShort(VERSION).putShort((short) 0).putShort((short) 0);
    out.putShort((short) 0).putShort(FIRST_OF_JANUARY_1980);
    out.putInt((int) check.getValue()).putInt(text.length).putInt(text.length);
    out.putShort((short) name.length).putShort((short) 0);
  }
}
