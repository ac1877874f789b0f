package corpus;

import java.io.Serializable;

/**
 * Classes for which code is generated; outside of {@code io.karmi}, whose classes are not woven.
 */
public final class Corpus {
  private Corpus() {}

  public static class Ints implements Serializable {
    int a;
    int b;
    int c;
  }

  public static class ManyInts implements Serializable {
    int a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9;
    int c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, d0;
    long l0, l1;
  }

  public static class AllKinds implements Serializable {
    boolean z;
    byte b;
    char c;
    short s;
    int i;
    long j;
    float f;
    double d;
    final int last = hashCode();
    String text;
    Integer number;
    Long large;
    Double real;
    Object any;
    int[] numbers;
    Comparable<?> like;
  }

  public static class Shorts implements Serializable {
    short a;
    byte b;
    char c;
  }

  public static class Texts implements Serializable {
    String a;
    final Object b = a;
  }

  public static class Tree implements Serializable {
    int value;
    Tree left;
    Tree right;
    Long weight;
  }

  public static class Empty implements Serializable {}

  public static class Floats implements Serializable {
    float x;
    float y;
    float z;
    double w;
  }

  public static class Base implements Serializable {
    int x;
    long y;
  }

  public static class Derived extends Base {
    int z;
    double d;
  }

  public record Point(int x, long y, String name, float z) implements Serializable {}
}
