package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.Serializable;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Fields of every kind, in every place of a hierarchy. */
@RunWith(SameProgram.class)
public class FieldsTest {

  static class EveryType implements Serializable {
    private boolean flag = true;
    byte small = -128;
    protected short middle = Short.MIN_VALUE;
    public char letter = '\uffff';
    int number = 0x01020304;
    long big = 0x0102030405060708L;
    float single = 1.5f;
    double twice = -0.0;
    String text = "text";
    Object any = 'c';
    int[] numbers = {1, 2};
    List<String> list = List.of("a", "b");
  }

  static class Finals implements Serializable {
    private final int number;
    private final String text;
    private final int[] array;

    Finals(int number, String text, int... array) {
      this.number = number;
      this.text = text;
      this.array = array;
    }
  }

  static class Untouched implements Serializable {
    static int shared = 1;
    transient int forgotten = 7;
    transient Object lost = new Object();
    int kept = 8;
    final transient int constant = Integer.parseInt("9");
  }

  static class Parent implements Serializable {
    private int value = 1;
    private String name = "parent";
    private final Object own = "p";
  }

  static class Child extends Parent {
    private long value = 2;
    private String name = "child";
    private final Object own = "c";
  }

  static class Grandchild extends Child {
    private Object value = 3;
    private String name = "grandchild";
  }

  static class NoFields implements Serializable {}

  static class BelowNoFields extends NoFields {
    byte one = 1;
  }

  static class Many implements Serializable {
    long a01 = 1, a02 = 2, a03 = 3, a04 = 4, a05 = 5, a06 = 6, a07 = 7, a08 = 8, a09 = 9;
    byte b01 = 1, b02 = 2, b03 = 3, b04 = 4, b05 = 5, b06 = 6, b07 = 7, b08 = 8, b09 = 9;
    double c01 = 1, c02 = 2, c03 = 3, c04 = 4, c05 = 5, c06 = 6, c07 = 7, c08 = 8, c09 = 9;
    boolean d01 = true, d02, d03 = true, d04, d05 = true, d06, d07 = true, d08, d09 = true;
    Object e01 = 1, e02 = 2, e03 = 3, e04 = null, e05 = 5, e06 = e01, e07 = 7, e08 = 8, e09 = 9;
    short f01 = 1, f02 = 2, f03 = 3;
    char g01 = 'a', g02 = 'b', g03 = 'c';
    float h01 = 1, h02 = 2, h03 = 3;
    int i01 = 1, i02 = 2, i03 = 3;
  }

  static class Nested implements Serializable {
    Nested[] children = new Nested[2];
    Nested sibling;
  }

  @Test
  public void fieldsOfEveryTypeArrive() throws Exception {
    see("every type", Wire.copy(new EveryType()));
  }

  @Test
  public void defaultValuesArrive() throws Exception {
    EveryType object = new EveryType();
    object.flag = false;
    object.small = 0;
    object.number = 0;
    object.single = Float.NaN;
    object.twice = Double.NEGATIVE_INFINITY;
    object.text = null;
    object.any = null;
    object.numbers = null;
    object.list = null;
    see("defaults", Wire.copy(object));
  }

  @Test
  public void bitsOfFloatingPointNumbersArrive() throws Exception {
    EveryType object = new EveryType();
    object.single = Float.intBitsToFloat(0x7fc00123);
    object.twice = Double.longBitsToDouble(0x7ff8000000000123L);
    EveryType copy = Wire.copy(object);
    see("float bits", Float.floatToIntBits(copy.single));
    see("double bits", Double.doubleToLongBits(copy.twice));
  }

  @Test
  public void finalFieldsArrive() throws Exception {
    see("finals", Wire.copy(new Finals(5, "five", 5, 5)));
  }

  @Test
  public void transientAndStaticFieldsStayBehind() throws Exception {
    byte[] bytes = Wire.write(new Untouched());
    Untouched.shared = 2;
    see("copy", Wire.read(bytes));
    see("static", Untouched.shared);
  }

  @Test
  public void fieldsOfTheSameNameInAHierarchyKeepApart() throws Exception {
    see("child", Wire.copy(new Child()));
    see("grandchild", Wire.copy(new Grandchild()));
  }

  @Test
  public void classesWithoutFieldsArrive() throws Exception {
    see("none", Wire.copy(new NoFields()));
    see("below none", Wire.copy(new BelowNoFields()));
  }

  @Test
  public void manyFieldsArrive() throws Exception {
    see("many", Wire.copy(new Many()));
  }

  @Test
  public void manyObjectsOfOneClassArrive() throws Exception {
    Nested root = new Nested();
    root.children[0] = new Nested();
    root.children[1] = root;
    root.sibling = root.children[0];
    root.children[0].sibling = root.children[0];
    see("nested", Wire.copy(root));
  }

  @Test
  public void objectsOfOneStreamAreIndependentOfTheirOrder() throws Exception {
    byte[] bytes = Wire.write(new Child(), new Parent(), new Grandchild(), new Child());
    see("four", Wire.read(bytes, 4));
  }
}
