package io.karmi.uka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.uka.differential.Versions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.Test;

/** What {@code docs/wire-format.md} says about bytes. */
public class WireFormatTest {
  static final class Point implements Serializable {
    private static final long serialVersionUID = 1;
    int x = 1;
    int y = 2;
    Object label = "p";
    Point next = this;
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  public void theExampleOfTheDocument() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    UkaObjectOutputStream out = new UkaObjectOutputStream(bytes);
    out.writeObject(new Point());
    out.writeInt(7);
    out.flush();
    String name = hex(Point.class.getName().getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    int length = Point.class.getName().length();
    String text = HexFormat.of().toHexDigits((byte) (2 * length)) + name;
    String signature = HexFormat.of().toHexDigits((byte) (2 * length + 4)) + "4c" + name + "3b";
    String body =
        "0f62"
            + text
            + "0100000000000000"
            + "04"
            + "490278"
            + "490279"
            + "6f0a6c6162656c"
            + "4c"
            + signature.replace("io.karmi", "io/karmi").replace("2e", "2f")
            + "086e657874"
            + "0b00"
            + "0100000002000000"
            + "1170"
            + "40";
    String frame = HexFormat.of().toHexDigits((byte) (body.length() / 2));
    assertThat(hex(bytes.toByteArray()))
        .isEqualTo("554b4101" + frame + body + "06" + "090400000007");

    int before = bytes.size();
    out.writeObject(new Point());
    assertThat(hex(bytes.toByteArray()).substring(2 * before)).isEqualTo("05" + "820102" + "4142");
  }

  static final class Numbers implements Serializable {
    byte b = 1;
    int i;
    long j;
    char k = 'k';

    Numbers(int i, long j) {
      this.i = i;
      this.j = j;
    }
  }

  @Test
  public void numbersTakeTheWidthThatFitsAllOfAnObject() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    UkaObjectOutputStream out = new UkaObjectOutputStream(bytes);
    out.writeObject(new Numbers(0, 0));
    assertThat(written(out, bytes, new Numbers(-2, 3))).isEqualTo("06" + "82" + "01fe036b00");
    assertThat(written(out, bytes, new Numbers(-2, 128)))
        .isEqualTo("0a" + "81" + "01feff800000006b00");
    assertThat(written(out, bytes, new Numbers(-2, 1L << 31)))
        .isEqualTo("10" + "80" + "01feffffff00000080000000006b00");
  }

  @Test
  public void classesWhoseNumbersHaveNoRoomInTheTokenKeepThemWide() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    UkaObjectOutputStream out = new UkaObjectOutputStream(bytes);
    List<Object> all = new ArrayList<>();
    String source = "public class C%d implements java.io.Serializable { public int i = 1; }";
    for (int i = 0; i < 60; i++) {
      String name = "C" + i;
      all.add(
          Versions.loader(getClass().getClassLoader(), String.format(source, i))
              .loadClass(name)
              .getDeclaredConstructor()
              .newInstance());
    }
    for (Object each : all) {
      out.writeObject(each);
    }
    out.resetObjects();
    List<Integer> sizes = new ArrayList<>();
    for (Object each : all) {
      sizes.add(written(out, bytes, each).length() / 2);
    }
    assertThat(sizes.subList(1, 42)).containsOnly(1 + 1 + 1);
    assertThat(sizes.subList(42, 44)).containsOnly(1 + 1 + 4);
    assertThat(sizes.subList(44, 60)).containsOnly(1 + 3 + 4);
  }

  private static String written(
      UkaObjectOutputStream out, ByteArrayOutputStream bytes, Object object) throws IOException {
    bytes.reset();
    out.writeObject(object);
    return hex(bytes.toByteArray());
  }

  @Test
  public void slimTypesAreNamesAndFingerprints() throws Exception {
    byte[] full = write(UkaOptions.Types.FULL);
    byte[] slim = write(UkaOptions.Types.SLIM);
    assertThat(slim.length).isLessThan(full.length);
    assertThat(read(slim)).isInstanceOf(Point.class);

    int lastOfFingerprint = 4 + 1 + 2 + 1 + Point.class.getName().length() + 7;
    slim[lastOfFingerprint] ^= 1;
    assertThatThrownBy(() -> read(slim))
        .isInstanceOf(InvalidClassException.class)
        .hasMessageMatching(".*stream fingerprint = \\p{XDigit}{16}, local fingerprint = .*");
  }

  @Test
  public void charactersTakeAByteWhereThatIsEnough() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    UkaObjectOutputStream out = new UkaObjectOutputStream(bytes);
    out.writeObject(new char[0]);
    bytes.reset();
    out.writeObject("12345".toCharArray());
    assertThat(hex(bytes.toByteArray())).isEqualTo("07" + "80" + "0a" + "3132333435");
    bytes.reset();
    out.writeObject(new char[] {'a', '\u20ac'});
    assertThat(hex(bytes.toByteArray())).isEqualTo("06" + "80" + "05" + "6100" + "ac20");
  }

  @Test
  public void whoeverWritesDescriptorsGetsNoSlimTypes() throws Exception {
    int[] calls = new int[1];
    UkaOptions slim = new UkaOptions(UkaOptions.Format.UKA, UkaOptions.Types.SLIM);
    UkaObjectOutputStream out =
        new UkaObjectOutputStream(new ByteArrayOutputStream(), slim) {
          @Override
          protected void writeClassDescriptor(java.io.ObjectStreamClass descriptor)
              throws IOException {
            calls[0]++;
            super.writeClassDescriptor(descriptor);
          }
        };
    out.writeObject(new Point());
    assertThat(calls[0]).isOne();
  }

  private static byte[] write(UkaOptions.Types types) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (UkaObjectOutputStream out =
        new UkaObjectOutputStream(bytes, new UkaOptions(UkaOptions.Format.UKA, types))) {
      out.writeObject(new Point());
    }
    return bytes.toByteArray();
  }

  private static Object read(byte[] bytes) throws IOException, ClassNotFoundException {
    return new UkaObjectInputStream(new ByteArrayInputStream(bytes)).readObject();
  }
}
