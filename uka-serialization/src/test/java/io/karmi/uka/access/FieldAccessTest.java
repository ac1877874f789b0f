package io.karmi.uka.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.Assume.assumeTrue;

import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.field.FieldLayout;
import io.karmi.uka.field.FieldSource;
import io.karmi.uka.field.NumberWidth;
import io.karmi.uka.platform.Instantiator;
import io.karmi.uka.platform.TypeCode;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.Test;

/**
 * What every strategy promises of single fields, blocks of primitive fields, and all fields at
 * once.
 */
public class FieldAccessTest extends OnEveryStrategy {
  public FieldAccessTest(AccessStrategy strategy, ByteOrder order) {
    super(strategy, order);
  }

  @Test
  public void theBlockHoldsEveryPrimitiveTypeWithoutPadding() throws Exception {
    AllTypes object = new AllTypes(true);
    FieldAccess access = open(AllTypes.class, fieldsOf(AllTypes.class));
    byte[] bytes = new byte[access.primitiveBytes() + 3];

    access.getPrimitives(object, bytes, 2);

    ByteBuffer block = ByteBuffer.wrap(bytes, 2, access.primitiveBytes()).order(order);
    assertThat(block.get()).as("aBoolean").isEqualTo((byte) 1);
    assertThat(block.get()).as("bByte").isEqualTo((byte) -7);
    assertThat(block.getChar()).as("cChar").isEqualTo('\uFEDC');
    assertThat(block.getDouble()).as("dDouble").isEqualTo(Math.E);
    assertThat(block.getFloat()).as("eFloat").isEqualTo(-2.5f);
    assertThat(block.get()).as("fByte").isEqualTo((byte) 127);
    assertThat(block.getInt()).as("gInt").isEqualTo(0x81828384);
    assertThat(block.getInt()).as("hInt").isEqualTo(-1);
    assertThat(block.getLong()).as("iLong").isEqualTo(0x8182838485868788L);
    assertThat(block.getShort()).as("jShort").isEqualTo((short) -300);
    assertThat(block.get()).as("kBoolean").isEqualTo((byte) 0);
    assertThat(block.remaining()).as("rest of the block").isZero();
    assertThat(bytes[bytes.length - 1]).as("the byte behind the block").isZero();
  }

  @Test
  public void whatIsGetCanBeSet() throws Exception {
    AllTypes from = new AllTypes(true);
    AllTypes to = new AllTypes(false);
    FieldAccess access = open(AllTypes.class, fieldsOf(AllTypes.class));
    byte[] bytes = new byte[access.primitiveBytes()];

    access.getPrimitives(from, bytes, 0);
    access.setPrimitives(to, bytes, 0);
    for (int i = 0; i < access.references(); i++) {
      access.setReference(to, i, access.getReference(from, i));
    }

    assertThat(to).usingRecursiveComparison().isEqualTo(from);
    assertThat(to.rows()).as("a reference is copied, not what it points to").isSameAs(from.rows());
  }

  @Test
  public void allFieldsMoveTogether() throws Exception {
    AllTypes from = new AllTypes(true);
    AllTypes to = new AllTypes(false);
    FieldAccess access = open(AllTypes.class, fieldsOf(AllTypes.class));
    byte[] bytes = new byte[access.primitiveBytes()];
    Object[] references = new Object[access.references()];

    access.getPrimitives(from, bytes, 0);
    access.getReferences(from, references);
    access.setFields(source(), to, bytes, 0, references);

    assertThat(to).usingRecursiveComparison().isEqualTo(from);
  }

  @Test
  public void aBooleanIsTrueForAnyByteButZero() throws Exception {
    AllTypes object = new AllTypes(false);
    FieldAccess access = open(AllTypes.class, fieldsOf(AllTypes.class));
    for (int value = -128; value < 128; value++) {
      byte[] bytes = new byte[access.primitiveBytes()];
      bytes[0] = (byte) value;
      access.setPrimitives(object, bytes, 0);
      assertThat(object.aBoolean).as("byte " + value).isEqualTo(value != 0);
    }
  }

  @Test
  public void aValueOfTheWrongTypeChangesNothing() throws Exception {
    AllTypes object = new AllTypes(true);
    FieldAccess access = open(AllTypes.class, fieldsOf(AllTypes.class));
    int before = object.gInt;

    assertThatThrownBy(
            () ->
                access.setFields(
                    source(),
                    object,
                    new byte[access.primitiveBytes()],
                    0,
                    new Object[] {null, 42, null}))
        .isInstanceOf(ClassCastException.class)
        .hasMessageContaining("java.lang.Integer")
        .hasMessageContaining("AllTypes.rows")
        .hasMessageContaining("[[I");
    assertThatThrownBy(() -> access.setReference(object, 2, 42))
        .isInstanceOf(ClassCastException.class)
        .hasMessageContaining("AllTypes.text");
    assertThat(object.gInt).isEqualTo(before);
  }

  @Test
  public void fieldsThatTheLocalClassLacksAreSkipped() throws Exception {
    AllTypes object = new AllTypes(true);
    Field[] all = fieldsOf(AllTypes.class);
    char[] codes = new char[all.length];
    for (int i = 0; i < codes.length; i++) {
      codes[i] = TypeCode.of(all[i].getType());
    }
    Field[] some = all.clone();
    some[6] = null;
    some[all.length - 1] = null;
    FieldAccess access =
        access(new FieldLayout(AllTypes.class, codes, some, order, NumberWidth.FULL));
    byte[] bytes = new byte[access.primitiveBytes()];

    access.getPrimitives(object, bytes, 0);
    assertThat(ByteBuffer.wrap(bytes).order(order).getInt(17)).as("gInt in the block").isZero();
    Arrays.fill(bytes, 17, 21, (byte) 9);
    access.setPrimitives(object, bytes, 0);
    assertThat(object.gInt).isEqualTo(0x81828384);

    access.setReference(object, access.references() - 1, "ignored");
    assertThat(object.text).isEqualTo("text");
    assertThat(access.getReference(object, access.references() - 1)).isNull();

    access.setFields(source(), object, bytes, 0, new Object[] {1, null, "ignored"});
    assertThat(object.any).isEqualTo(1);
    assertThat(object.text).isEqualTo("text");
    assertThat(object.gInt).isEqualTo(0x81828384);
  }

  @Test
  public void thirtyTwoIntsMoveBothWays() throws Exception {
    ThirtyTwoInts from = new ThirtyTwoInts();
    Random random = new Random(4711);
    for (Field field : fieldsOf(ThirtyTwoInts.class)) {
      field.setInt(from, random.nextInt());
    }
    FieldAccess access = open(ThirtyTwoInts.class, fieldsOf(ThirtyTwoInts.class));
    byte[] bytes = new byte[128];
    ThirtyTwoInts to = new ThirtyTwoInts();

    access.getPrimitives(from, bytes, 0);
    access.setPrimitives(to, bytes, 0);

    assertThat(to).usingRecursiveComparison().isEqualTo(from);
  }

  @Test
  public void privateFieldsOfTheJdkAreReached() throws Exception {
    assumeTrue(
        "needs no open package",
        strategy == AccessStrategy.UNSAFE || strategy == AccessStrategy.STREAMS);
    StackTraceElement element = new StackTraceElement("a.B", "method", "B.java", 42);
    Field[] fields = fieldsOf(StackTraceElement.class);
    FieldAccess access = open(StackTraceElement.class, fields);
    byte[] bytes = new byte[access.primitiveBytes()];
    Object[] references = new Object[access.references()];

    access.getPrimitives(element, bytes, 0);
    access.getReferences(element, references);
    Object copy = Instantiator.of(StackTraceElement.class).newInstance();
    access.setFields(source(), copy, bytes, 0, references);

    assertThat(copy).isEqualTo(element);
  }

  @Test
  public void aRecordIsReadButNeverChanged() throws Exception {
    assumeTrue(
        "records have no field offsets",
        strategy != AccessStrategy.UNSAFE && strategy != AccessStrategy.STREAMS);
    FieldAccess access = open(Point.class, fieldsOf(Point.class));
    byte[] bytes = new byte[access.primitiveBytes()];

    access.getPrimitives(new Point(3, "label"), bytes, 0);

    assertThat(ByteBuffer.wrap(bytes).order(order).getInt()).isEqualTo(3);
    assertThat(access.getReference(new Point(3, "label"), 0)).isEqualTo("label");
    assertThatThrownBy(() -> access.setReference(new Point(3, "label"), 0, "other"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  private static FieldSource source() {
    return new FieldStreamTest.Pipe().source();
  }
}
