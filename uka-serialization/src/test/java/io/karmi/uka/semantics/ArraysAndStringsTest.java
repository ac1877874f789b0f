package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Arrays of every type and size, Strings of every kind of character. */
@RunWith(SameProgram.class)
public class ArraysAndStringsTest {

  static class Named implements Serializable {
    Object[] objects = new Integer[] {1, 2, null};
    Comparable<?>[] comparables = {"a", 1};
    CharSequence[] sequences = new String[] {"s"};
    int[][] jagged = {{1}, {}, null, {2, 3}};
  }

  @Test
  public void primitiveArraysArrive() throws Exception {
    see("boolean", Wire.copy(new boolean[] {true, false}));
    see("byte", Wire.copy(new byte[] {0, -1, 127}));
    see("char", Wire.copy(new char[] {'\0', '\ud800', '\uffff'}));
    see("short", Wire.copy(new short[] {-1, 256}));
    see("int", Wire.copy(new int[] {Integer.MIN_VALUE, 1}));
    see("long", Wire.copy(new long[] {Long.MIN_VALUE, 1}));
    see("float", Wire.copy(new float[] {Float.MIN_VALUE, -0f, Float.NaN}));
    see("double", Wire.copy(new double[] {Double.MAX_VALUE, -0d}));
  }

  /** In the JDK's format: that the bytes are the same is compared for every program. */
  @Test
  public void everyNanOfAnArrayIsTheSame() throws Exception {
    see("float", Wire.copy(new float[] {Float.intBitsToFloat(0xffc12345), 1, Float.NaN}));
    see("double", Wire.copy(new double[] {Double.longBitsToDouble(0x7ff8000000000123L), 1}));
  }

  @Test
  public void arraysOfEverySizeArrive() throws Exception {
    for (int size :
        new int[] {0, 1, 7, 127, 128, 255, 256, 1023, 1024, 1025, 16_384, 70_000, 300_000}) {
      byte[] bytes = new byte[size];
      new Random(size).nextBytes(bytes);
      int[] ints = new Random(size).ints(size).toArray();
      double[] doubles = new Random(size).doubles(size).toArray();
      see("bytes " + size, Arrays.equals(bytes, Wire.copy(bytes)));
      see("ints " + size, Arrays.equals(ints, Wire.copy(ints)));
      see("doubles " + size, Arrays.equals(doubles, Wire.copy(doubles)));
    }
  }

  @Test
  public void everyPrimitiveTypeInBulk() throws Exception {
    Random random = new Random(1);
    boolean[] booleans = new boolean[5000];
    char[] chars = new char[5000];
    short[] shorts = new short[5000];
    float[] floats = new float[5000];
    long[] longs = new long[5000];
    for (int i = 0; i < 5000; i++) {
      booleans[i] = random.nextBoolean();
      chars[i] = (char) random.nextInt();
      shorts[i] = (short) random.nextInt();
      floats[i] = random.nextFloat();
      longs[i] = random.nextLong();
    }
    Object[] copy = Wire.copy(new Object[] {booleans, chars, shorts, floats, longs});
    see("all", Arrays.deepEquals(copy, new Object[] {booleans, chars, shorts, floats, longs}));
  }

  @Test
  public void charactersOfEveryKindAndNumber() throws Exception {
    for (int length : new int[] {0, 1, 5, 63, 64, 65, 127, 128, 20_000}) {
      char[] narrow = new char[length];
      Arrays.setAll(new Object[length], i -> narrow[i] = (char) (i * 7 & 0xFF));
      char[] wide = narrow.clone();
      if (length > 0) {
        wide[length - 1] = '\u0100';
      }
      see("narrow " + length, Arrays.equals(narrow, Wire.copy(narrow)));
      see("wide " + length, Arrays.equals(wide, Wire.copy(wide)));
      Object[] both = Wire.copy(new Object[] {narrow, wide, narrow, "behind"});
      see("both", both[0] == both[2] && Arrays.equals(wide, (char[]) both[1]) ? both[3] : both);
    }
  }

  @Test
  public void arraysKeepTheirClass() throws Exception {
    see("named", Wire.copy(new Named()));
    see("of interface", Wire.copy(new List<?>[] {List.of(1), null}));
    see("of integers", Wire.copy((Object[]) new Integer[] {5}));
    see("of serializable", Wire.copy(new Serializable[] {"x", new int[0]}));
    see("of arrays", Wire.copy(new Object[][][] {{{"deep"}, {}}, {}}));
    see("clone", Wire.copy(new Object[] {new int[0].clone(), new int[0][0]}));
    see("of objects that are not serializable", Wire.copy(new Thread[] {null}));
    Wire.tryToWrite(
        "element that is not serializable", new Object[] {"x", new Object[] {new Object()}});
  }

  @Test
  public void sharedRowsStayShared() throws Exception {
    int[] row = {1, 2};
    see("rows", Wire.copy(new int[][] {row, row, {1, 2}, row}));
    Object[] self = new Object[2];
    self[0] = new Object[] {self, row};
    self[1] = row;
    see("self", Wire.copy(self));
  }

  @Test
  public void largeObjectArraysArrive() throws Exception {
    Object[] large = new Object[50_000];
    for (int i = 0; i < large.length; i++) {
      large[i] = i % 5 == 0 ? null : i % 2 == 0 ? (Object) i : "s" + i % 100;
    }
    see("equal", Arrays.equals(large, Wire.copy(large)));
  }

  private static void string(String label, String text) throws Exception {
    see(label, Wire.copy(text));
    see(label + " twice", Wire.copy(new String[] {text, new String(text), text}));
    Object[] between = Wire.read(Wire.write(1, text, 2), 3);
    see(label + " between", between);
  }

  @Test
  public void stringsOfEveryKindArrive() throws Exception {
    string("empty", "");
    string("ascii", "plain text 0123456789");
    string("zero", "a\0b");
    string("latin", "\u00e4\u00f6\u00ff\u0080");
    string("two bytes", "\u0100\u07ff");
    string("three bytes", "\u0800\u20ac\uffff");
    string("pairs", "\ud83d\ude00");
    string("lone high", "\ud800");
    string("lone low", "x\udc00y");
    string("reversed pair", "\udc00\ud800");
    string("mixed", "a\u00e9\u20ac\ud83d\ude00\0");
  }

  @Test
  public void stringsOfEveryLengthArrive() throws Exception {
    for (int length :
        new int[] {
          1, 2, 31, 127, 128, 255, 256, 511, 1023, 1024, 1025, 16_383, 21_845, 21_846, 32_767,
          32_768, 65_534, 65_535, 65_536, 65_537, 200_000
        }) {
      for (String unit : new String[] {"a", "\u00e9", "\u20ac", "\0", "a\u20ac", "\ud83d\ude00"}) {
        String text = unit.repeat((length + unit.length() - 1) / unit.length());
        see("length " + length, text.equals(Wire.copy(text)));
      }
    }
  }

  @Test
  public void longStringsStayShared() throws Exception {
    String text = "\u00e9".repeat(100_000);
    Object[] copy = Wire.copy(new Object[] {text, "short", text});
    see("same", copy[0] == copy[2]);
    see("equal", text.equals(copy[0]));
  }

  @Test
  public void stringsWrittenAsData() throws Exception {
    byte[] bytes =
        Wire.writeBy(
            out -> {
              out.writeUTF("");
              out.writeUTF("\0\u00e9\u20ac\ud800");
              out.writeUTF("x".repeat(65_535));
              out.writeUTF("\u20ac".repeat(21_845));
              out.writeBytes("b\u00e9\u20ac");
              out.writeChars("c\ud800");
              out.writeUTF("last");
            });
    try (ObjectInputStream in = Wire.open(bytes)) {
      see("empty", in.readUTF());
      see("every length", in.readUTF());
      see("long", in.readUTF().equals("x".repeat(65_535)));
      see("long by encoding", in.readUTF().equals("\u20ac".repeat(21_845)));
      see("bytes", in.readNBytes(3));
      see("chars", new char[] {in.readChar(), in.readChar()});
      see("last", in.readUTF());
      see("end", in.read());
    }
  }
}
