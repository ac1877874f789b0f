package io.karmi.marshal;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Encoding of the header that interceptors send along with a call: pairs of texts, in front of the
 * request.
 *
 * <pre>
 *  +-------------+---------------+---------------------+---------------+-----
 *  | n: number   | name: number  | that many bytes     | text: number  | …      n times
 *  +-------------+---------------+---------------------+---------------+-----
 * </pre>
 */
public final class CallHeader {
  /** Upper bound of the entries, on both sides. */
  private static final int MAXIMUM_ENTRIES = 64;

  private static final int MAXIMUM_BYTES = 16 * 1024;

  private CallHeader() {}

  /**
   * Writes a header.
   *
   * @throws IOException if it is too large
   */
  public static void write(Map<String, String> header, OutputBuffer out) throws IOException {
    if (header.size() > MAXIMUM_ENTRIES) {
      throw new IOException(
          "call header of " + header.size() + " entries; at most " + MAXIMUM_ENTRIES);
    }
    out.writeVarInt(header.size());
    int left = MAXIMUM_BYTES;
    for (Map.Entry<String, String> entry : header.entrySet()) {
      left = write(entry.getKey(), out, left);
      left = write(entry.getValue(), out, left);
    }
  }

  private static int write(String text, OutputBuffer out, int left) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > left) {
      throw new IOException("call header of more than " + MAXIMUM_BYTES + " bytes");
    }
    out.writeVarInt(bytes.length);
    out.writeBytes(bytes, 0, bytes.length);
    return left - bytes.length;
  }

  /**
   * Reads a header.
   *
   * @return it, unmodifiable
   * @throws StreamCorruptedException if it is larger than any that is written
   */
  public static Map<String, String> read(InputBuffer in) throws IOException {
    int count = in.readVarInt();
    if (count < 0 || count > MAXIMUM_ENTRIES) {
      throw new StreamCorruptedException("call header of " + count + " entries");
    }
    Map<String, String> header = new LinkedHashMap<>();
    int left = MAXIMUM_BYTES;
    for (int i = 0; i < count; i++) {
      byte[] name = readText(in, left);
      byte[] text = readText(in, left - name.length);
      left -= name.length + text.length;
      header.put(
          new String(name, StandardCharsets.UTF_8), new String(text, StandardCharsets.UTF_8));
    }
    return Collections.unmodifiableMap(header);
  }

  private static byte[] readText(InputBuffer in, int left) throws IOException {
    int length = in.readVarInt();
    if (length < 0 || length > left) {
      throw new StreamCorruptedException("call header of more than " + MAXIMUM_BYTES + " bytes");
    }
    byte[] text = new byte[length];
    in.readBytes(text, 0, length);
    return text;
  }
}
