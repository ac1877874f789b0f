package io.karmi.benchmarks.payloads;

import java.io.Serializable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The paper's {@code 32 int}: an object with 32 ints, in fields of their own. */
public final class ThirtyTwoInts implements Serializable {
  private static final long serialVersionUID = 1;

  private final int i00;
  private final int i01;
  private final int i02;
  private final int i03;
  private final int i04;
  private final int i05;
  private final int i06;
  private final int i07;
  private final int i08;
  private final int i09;
  private final int i10;
  private final int i11;
  private final int i12;
  private final int i13;
  private final int i14;
  private final int i15;
  private final int i16;
  private final int i17;
  private final int i18;
  private final int i19;
  private final int i20;
  private final int i21;
  private final int i22;
  private final int i23;
  private final int i24;
  private final int i25;
  private final int i26;
  private final int i27;
  private final int i28;
  private final int i29;
  private final int i30;
  private final int i31;

  /** An object whose numbers follow from {@code seed}. */
  public ThirtyTwoInts(int seed) {
    this(numbers(seed));
  }

  private static int[] numbers(int seed) {
    int[] ints = new int[32];
    for (int i = 0; i < ints.length; i++) {
      ints[i] = seed + i * 0x01010101;
    }
    return ints;
  }

  /** An object of these 32 numbers. */
  public ThirtyTwoInts(int[] ints) {
    i00 = ints[0];
    i01 = ints[1];
    i02 = ints[2];
    i03 = ints[3];
    i04 = ints[4];
    i05 = ints[5];
    i06 = ints[6];
    i07 = ints[7];
    i08 = ints[8];
    i09 = ints[9];
    i10 = ints[10];
    i11 = ints[11];
    i12 = ints[12];
    i13 = ints[13];
    i14 = ints[14];
    i15 = ints[15];
    i16 = ints[16];
    i17 = ints[17];
    i18 = ints[18];
    i19 = ints[19];
    i20 = ints[20];
    i21 = ints[21];
    i22 = ints[22];
    i23 = ints[23];
    i24 = ints[24];
    i25 = ints[25];
    i26 = ints[26];
    i27 = ints[27];
    i28 = ints[28];
    i29 = ints[29];
    i30 = ints[30];
    i31 = ints[31];
  }

  /** The 32 numbers, for those who serialize by hand. */
  public int[] ints() {
    return new int[] {
      i00, i01, i02, i03, i04, i05, i06, i07,
      i08, i09, i10, i11, i12, i13, i14, i15,
      i16, i17, i18, i19, i20, i21, i22, i23,
      i24, i25, i26, i27, i28, i29, i30, i31
    };
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ThirtyTwoInts that && Arrays.equals(ints(), that.ints());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(ints());
  }
}
