package io.karmi.uka.marshal.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.Assume.assumeTrue;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.InvalidObjectException;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** What every rung promises, on every rung this VM has, in both byte orders. */
@RunWith(Parameterized.class)
public class FieldAccessTest {
  private final Rung rung;
  private final ByteOrder order;

  public FieldAccessTest(Rung rung, ByteOrder order) {
    this.rung = rung;
    this.order = order;
  }

  @Parameters(name = "{0} {1}")
  public static List<Object[]> rungsAndOrders() {
    List<Object[]> all = new ArrayList<>();
    for (Rung rung : Rung.values()) {
      all.add(new Object[] {rung, ByteOrder.LITTLE_ENDIAN});
      all.add(new Object[] {rung, ByteOrder.BIG_ENDIAN});
    }
    return all;
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
    assertThat(to.rows).as("a reference is copied, not what it points to").isSameAs(from.rows);
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
    access.setFields(to, bytes, 0, references);

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
                    object, new byte[access.primitiveBytes()], 0, new Object[] {null, 42, null}))
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
      codes[i] = FieldLayout.codeOf(all[i].getType());
    }
    Field[] some = all.clone();
    some[6] = null;
    some[all.length - 1] = null;
    FieldAccess access = access(new FieldLayout(AllTypes.class, codes, some, order));
    byte[] bytes = new byte[access.primitiveBytes()];

    access.getPrimitives(object, bytes, 0);
    assertThat(ByteBuffer.wrap(bytes).order(order).getInt(17)).as("gInt in the block").isZero();
    Arrays.fill(bytes, 17, 21, (byte) 9);
    access.setPrimitives(object, bytes, 0);
    assertThat(object.gInt).isEqualTo(0x81828384);

    access.setReference(object, access.references() - 1, "ignored");
    assertThat(object.text).isEqualTo("text");
    assertThat(access.getReference(object, access.references() - 1)).isNull();

    access.setFields(object, bytes, 0, new Object[] {1, null, "ignored"});
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
    assumeTrue("needs no open package", rung == Rung.UNSAFE || rung == Rung.STREAMS);
    StackTraceElement element = new StackTraceElement("a.B", "method", "B.java", 42);
    Field[] fields = fieldsOf(StackTraceElement.class);
    FieldAccess access = open(StackTraceElement.class, fields);
    byte[] bytes = new byte[access.primitiveBytes()];
    Object[] references = new Object[access.references()];

    access.getPrimitives(element, bytes, 0);
    access.getReferences(element, references);
    Object copy = Instantiator.of(StackTraceElement.class).newInstance();
    access.setFields(copy, bytes, 0, references);

    assertThat(copy).isEqualTo(element);
  }

  @Test
  public void fieldsCrossAStream() throws Exception {
    AllTypes from = new AllTypes(true);
    AllTypes to = new AllTypes(false);
    FieldAccess access = open(AllTypes.class, fieldsOf(AllTypes.class));

    Pipe pipe = new Pipe();
    access.write(pipe.sink, from);
    access.read(pipe.source(), to, 7);

    assertThat(to).usingRecursiveComparison().isEqualTo(from);
    assertThat(pipe.references).as("references in canonical order").isEmpty();
    assertThat(pipe.handles).containsExactly(7, 7, 7);
  }

  @Test
  public void noFieldIsSetBeforeAllHaveBeenRead() throws Exception {
    AllTypes to = new AllTypes(false);
    FieldAccess access = open(AllTypes.class, fieldsOf(AllTypes.class));
    Pipe pipe = new Pipe();
    access.write(pipe.sink, new AllTypes(true));
    pipe.whileReading =
        () -> assertThat(to).usingRecursiveComparison().isEqualTo(new AllTypes(false));

    access.read(pipe.source(), to, 0);

    assertThat(to.gInt).isEqualTo(0x81828384);
  }

  @Test
  public void anObjectThatIsNotIntactKeepsItsFields() throws Exception {
    AllTypes to = new AllTypes(false);
    FieldAccess access = open(AllTypes.class, fieldsOf(AllTypes.class));
    Pipe pipe = new Pipe();
    access.write(pipe.sink, new AllTypes(true));
    pipe.intact = false;

    access.read(pipe.source(), to, 0);

    assertThat(to).usingRecursiveComparison().isEqualTo(new AllTypes(false));
  }

  @Test
  public void aStreamWithAWrongTypeChangesNothing() throws Exception {
    AllTypes to = new AllTypes(false);
    FieldAccess access = open(AllTypes.class, fieldsOf(AllTypes.class));
    Pipe pipe = new Pipe();
    access.write(pipe.sink, new AllTypes(true));
    pipe.references.set(2, 42);

    assertThatThrownBy(() -> access.read(pipe.source(), to, 0))
        .isInstanceOf(ClassCastException.class)
        .hasMessageContaining("AllTypes.text");
    assertThat(to).usingRecursiveComparison().isEqualTo(new AllTypes(false));
  }

  @Test
  public void fieldsThatTheLocalClassLacksAreSkippedInAStream() throws Exception {
    Field[] all = fieldsOf(AllTypes.class);
    char[] codes = new char[all.length];
    for (int i = 0; i < codes.length; i++) {
      codes[i] = FieldLayout.codeOf(all[i].getType());
    }
    Pipe pipe = new Pipe();
    open(AllTypes.class, all).write(pipe.sink, new AllTypes(true));
    Field[] some = all.clone();
    some[6] = null;
    some[all.length - 2] = null;
    AllTypes to = new AllTypes(false);

    access(new FieldLayout(AllTypes.class, codes, some, order)).read(pipe.source(), to, 0);

    assertThat(to.gInt).isZero();
    assertThat(to.rows).isNull();
    assertThat(to.iLong).isEqualTo(0x8182838485868788L);
    assertThat(to.text).isEqualTo("text");
    assertThat(pipe.skipped).isEqualTo(1);
  }

  @Test
  public void anObjectIsMadeAndReadInOneGo() throws Exception {
    AllTypes from = new AllTypes(true);
    Pipe pipe = new Pipe();
    FieldAccess access = open(AllTypes.class, fieldsOf(AllTypes.class));

    access.write(pipe.sink, from);
    Object made = access.readNew(pipe.source());

    assertThat(made).usingRecursiveComparison().isEqualTo(from);
    assertThat(pipe.begun).as("it has its handle").singleElement().isSameAs(made);
    assertThat(pipe.handles).as("owner of each reference").containsOnly(0);
    assertThat(pipe.ended).singleElement().isSameAs(made);
  }

  @Test
  public void anObjectWithoutReferencesIsMadeAndReadInOneGo() throws Exception {
    Pipe pipe = new Pipe();
    FieldAccess access = open(TwoDoubles.class, fieldsOf(TwoDoubles.class));

    access.write(pipe.sink, new TwoDoubles(1.5, -2));
    Object made = access.readNew(pipe.source());

    assertThat(made).usingRecursiveComparison().isEqualTo(new TwoDoubles(1.5, -2));
    assertThat(pipe.ended).singleElement().isSameAs(made);
  }

  @Test
  public void theOpeningStandsBeforeTheFields() throws Exception {
    Pipe plain = new Pipe();
    Pipe opened = new Pipe();
    FieldAccess access = open(AllTypes.class, fieldsOf(AllTypes.class));

    access.write(plain.sink, new AllTypes(true));
    access.write(opened.sink, new AllTypes(true), 0x060504030201L, 5);

    byte[] expected = new byte[5 + plain.sink.buffer.position];
    System.arraycopy(new byte[] {1, 2, 3, 4, 5}, 0, expected, 0, 5);
    System.arraycopy(plain.sink.buffer.bytes, 0, expected, 5, plain.sink.buffer.position);
    assertThat(Arrays.copyOf(opened.sink.buffer.bytes, opened.sink.buffer.position))
        .isEqualTo(expected);
  }

  @Test
  public void elementsOfOneClassMoveInOneGo() throws Exception {
    assumeTrue("has no loops of its own", rung != Rung.STREAMS);
    FieldAccess access = open(TwoDoubles.class, fieldsOf(TwoDoubles.class));
    TwoDoubles twice = new TwoDoubles(1, 2);
    Object[] elements = {"other", twice, new TwoDoubles(3, 4), twice, null, new TwoDoubles(5, 6)};
    Object[] read = new Object[4];
    Pipe pipe = new Pipe();

    int written = access.writeRun(pipe.sink, elements, 1, TwoDoubles.class, 9, 1);
    int end = access.readRun(pipe.source(), 9, read, 1, 77);

    assertThat(written).as("up to what is no such object").isEqualTo(4);
    assertThat(pipe.references).as("what was not new").containsExactly(twice);
    assertThat(end).isEqualTo(3);
    assertThat(Arrays.copyOfRange(read, 1, end))
        .usingRecursiveComparison()
        .isEqualTo(new Object[] {twice, elements[2]});
    assertThat(pipe.owners).containsExactly(77, 77);
  }

  @Test
  public void anElementThatSomebodyHasToSeeEndsARun() throws Exception {
    FieldAccess access = open(TwoDoubles.class, fieldsOf(TwoDoubles.class));
    Pipe pipe = new Pipe();
    pipe.watched = true;

    Object[] elements = {new TwoDoubles(1, 2)};

    assertThat(access.writeRun(pipe.sink, elements, 0, TwoDoubles.class, 9, 1)).isZero();
  }

  @Test
  public void aRecordIsReadButNeverChanged() throws Exception {
    assumeTrue("records have no field offsets", rung != Rung.UNSAFE && rung != Rung.STREAMS);
    FieldAccess access = open(Point.class, fieldsOf(Point.class));
    byte[] bytes = new byte[access.primitiveBytes()];

    access.getPrimitives(new Point(3, "label"), bytes, 0);

    assertThat(ByteBuffer.wrap(bytes).order(order).getInt()).isEqualTo(3);
    assertThat(access.getReference(new Point(3, "label"), 0)).isEqualTo("label");
    assertThatThrownBy(() -> access.setReference(new Point(3, "label"), 0, "other"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  public void aRecordIsMadeWhenAllComponentsHaveArrived() throws Exception {
    assumeTrue("makes no records", rung == Rung.NESTMATE || rung == Rung.HANDLES);
    Pipe pipe = new Pipe();
    FieldAccess access = open(Point.class, fieldsOf(Point.class));

    access.write(pipe.sink, new Point(3, "label"));
    pipe.whileReading = () -> assertThat(pipe.begun).containsExactly((Object) null);
    Object made = access.readNew(pipe.source());

    assertThat(access.makesRecords()).isTrue();
    assertThat(made).isEqualTo(new Point(3, "label"));
    assertThat(pipe.begun).singleElement().isSameAs(made);
    assertThat(pipe.ended).singleElement().isSameAs(made);
  }

  @Test
  public void aRecordThatIsNotIntactIsNotMade() throws Exception {
    assumeTrue("makes no records", rung == Rung.NESTMATE || rung == Rung.HANDLES);
    Pipe pipe = new Pipe();
    FieldAccess access = open(Point.class, fieldsOf(Point.class));

    access.write(pipe.sink, new Point(3, "label"));
    pipe.intact = false;

    assertThat(access.readNew(pipe.source())).isNull();
    assertThat(pipe.ended).as("it has ended nevertheless").hasSize(1);
  }

  @Test
  public void aComponentOfTheWrongTypeIsTheJdksError() throws Exception {
    assumeTrue("makes no records", rung == Rung.NESTMATE || rung == Rung.HANDLES);
    Pipe pipe = new Pipe();
    FieldAccess access = open(Point.class, fieldsOf(Point.class));

    access.write(pipe.sink, new Point(3, "label"));
    pipe.references.set(0, 42);

    assertThatThrownBy(() -> access.readNew(pipe.source()))
        .isInstanceOf(InvalidObjectException.class)
        .hasCauseInstanceOf(ClassCastException.class);
  }

  /** Both ends of a stream: bytes, and references in the order in which they were written. */
  private static final class Pipe {
    final List<Object> references = new ArrayList<>();
    final List<Integer> handles = new ArrayList<>();
    final List<Integer> owners = new ArrayList<>();
    final List<Object> written = new ArrayList<>();
    boolean watched;
    final List<Object> begun = new ArrayList<>();
    final List<Object> ended = new ArrayList<>();
    boolean intact = true;
    int skipped;
    Runnable whileReading = () -> {};

    final FieldSink sink =
        new FieldSink(new OutputBuffer(1), null) {
          @Override
          public void writeReference(Object value) {
            references.add(value);
          }

          @Override
          public boolean isNew(Object object) {
            if (written.contains(object)) {
              references.add(object);
              return false;
            }
            return written.add(object);
          }

          @Override
          public boolean isWatched() {
            return watched;
          }

          @Override
          public void writeString(String value) {
            references.add(value);
          }
        };

    FieldSource source() {
      OutputBuffer written = sink.buffer;
      return new FieldSource(new InputBuffer(written.bytes, 0, written.position), null) {
        @Override
        public int nextHandle() {
          return begun.size();
        }

        @Override
        public void endSelfMade(int handle, Object object) {
          ended.add(object);
        }

        @Override
        public void lose(int handle, ClassNotFoundException reason) {
          intact = false;
        }

        @Override
        public int begin(Object object) {
          begun.add(object);
          return begun.size() - 1;
        }

        @Override
        public boolean takesNext(int number) {
          if (buffer.remaining() == 0 || buffer.bytes[buffer.position] != number) {
            return false;
          }
          buffer.position++;
          return true;
        }

        @Override
        public void own(int owner) {
          owners.add(owner);
        }

        @Override
        public void addLeaf(Object object) {
          end(begin(object));
        }

        @Override
        public void complete(int handle, Object object) {
          begun.set(handle, object);
        }

        @Override
        public void end(int handle) {
          ended.add(begun.get(handle));
        }

        @Override
        public Object readReference(int handle) {
          handles.add(handle);
          whileReading.run();
          return references.remove(0);
        }

        @Override
        public void skipReference() {
          skipped++;
          references.remove(0);
        }

        @Override
        public boolean isIntact(int handle) {
          return intact;
        }
      };
    }
  }

  private FieldAccess open(Class<?> type, Field... fields) {
    char[] codes = new char[fields.length];
    for (int i = 0; i < codes.length; i++) {
      codes[i] = FieldLayout.codeOf(fields[i].getType());
    }
    return access(new FieldLayout(type, codes, fields, order));
  }

  private FieldAccess access(FieldLayout layout) {
    StringBuilder reasons = new StringBuilder();
    FieldAccess access = rung.openOrExplain(layout, reasons);
    if (access == null) {
      boolean expected =
          switch (rung) {
            case INTERNAL_UNSAFE -> !internalUnsafeIsExported();
            case UNSAFE -> Runtime.version().feature() >= 24;
            case STREAMS -> Runtime.version().feature() < 24;
            default -> false;
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
  private static Field[] fieldsOf(Class<?> type) {
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
