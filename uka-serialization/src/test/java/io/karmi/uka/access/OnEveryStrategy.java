package io.karmi.uka.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.field.FieldLayout;
import io.karmi.uka.field.NumberWidth;
import io.karmi.uka.platform.TypeCode;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Tests that run on every strategy this VM has, in both byte orders, and the classes they move. */
@RunWith(Parameterized.class)
public abstract class OnEveryStrategy {
  final AccessStrategy strategy;
  final ByteOrder order;

  OnEveryStrategy(AccessStrategy strategy, ByteOrder order) {
    this.strategy = strategy;
    this.order = order;
  }

  @Parameters(name = "{0} {1}")
  public static List<Object[]> strategiesAndOrders() {
    List<Object[]> all = new ArrayList<>();
    for (AccessStrategy strategy : AccessStrategy.values()) {
      all.add(new Object[] {strategy, ByteOrder.LITTLE_ENDIAN});
      all.add(new Object[] {strategy, ByteOrder.BIG_ENDIAN});
    }
    return all;
  }

  final FieldAccess open(Class<?> type, Field... fields) {
    char[] codes = new char[fields.length];
    for (int i = 0; i < codes.length; i++) {
      codes[i] = TypeCode.of(fields[i].getType());
    }
    return access(new FieldLayout(type, codes, fields, order, NumberWidth.FULL));
  }

  final FieldAccess access(FieldLayout layout) {
    StringBuilder reasons = new StringBuilder();
    FieldAccess access = strategy.openOrExplain(layout, reasons);
    if (access == null) {
      boolean expected =
          switch (strategy) {
            case INTERNAL_UNSAFE -> !internalUnsafeIsExported();
            case UNSAFE -> Runtime.version().feature() >= 24;
            case REFLECTION -> layout.declaring.isRecord() || !layout.isSettable();
            case STREAMS -> Runtime.version().feature() < 24;
            case NESTMATE, HANDLES -> false;
          };
      assertThat(expected).as("unreachable:" + reasons).isTrue();
      assumeTrue(reasons.toString(), false);
    }
    return access;
  }

  private static boolean internalUnsafeIsExported() {
    return Object.class.getModule().isExported("jdk.internal.misc", FieldAccess.class.getModule());
  }

  /** The serializable fields in canonical order: primitives first, each group by name. */
  static Field[] fieldsOf(Class<?> type) {
    return Arrays.stream(type.getDeclaredFields())
        .filter(field -> (field.getModifiers() & 0x88) == 0)
        .sorted(
            Comparator.comparing((Field field) -> !field.getType().isPrimitive())
                .thenComparing(Field::getName))
        .toArray(Field[]::new);
  }

  static final class AllTypes implements Serializable {
    boolean aBoolean;
    private final byte bByte;
    char cChar;
    protected double dDouble;
    float eFloat;
    byte fByte;
    final int gInt;
    private int hInt;
    private final long iLong;
    short jShort;
    boolean kBoolean;
    Object any;
    private final int[][] rows;
    final String text;

    AllTypes(boolean full) {
      aBoolean = full;
      bByte = (byte) (full ? -7 : 0);
      cChar = full ? '\uFEDC' : 0;
      dDouble = full ? Math.E : 0;
      eFloat = full ? -2.5f : 0;
      fByte = (byte) (full ? 127 : 0);
      gInt = full ? 0x81828384 : 0;
      hInt = full ? -1 : 0;
      iLong = full ? 0x8182838485868788L : 0;
      jShort = (short) (full ? -300 : 0);
      any = full ? List.of() : null;
      rows = full ? new int[][] {{1}, {}} : null;
      text = full ? "text" : null;
    }

    long iLong() {
      return iLong;
    }

    int[][] rows() {
      return rows;
    }
  }

  static final class ThirtyTwoInts implements Serializable {
    int a0, a1, a2, a3, a4, a5, a6, a7, a8, a9;
    int b0, b1, b2, b3, b4, b5, b6, b7, b8, b9;
    int c0, c1, c2, c3, c4, c5, c6, c7, c8, c9;
    int d0, d1;
  }

  static final class TwoDoubles implements Serializable {
    private static final long serialVersionUID = 1;
    private final double x;
    private final double y;

    TwoDoubles(double x, double y) {
      this.x = x;
      this.y = y;
    }
  }

  record Point(int x, String label) implements Serializable {}
}
