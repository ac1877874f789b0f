package io.karmi.uka.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.Assume.assumeTrue;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.field.FieldLayout;
import io.karmi.uka.field.FieldSink;
import io.karmi.uka.field.FieldSource;
import io.karmi.uka.field.NumberWidth;
import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.field.StreamSetting;
import io.karmi.uka.platform.TypeCode;
import java.io.InvalidObjectException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.Test;

/** What every strategy promises of fields that go into a stream and come from one. */
public class FieldStreamTest extends OnEveryStrategy {
  public FieldStreamTest(AccessStrategy strategy, ByteOrder order) {
    super(strategy, order);
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
      codes[i] = TypeCode.of(all[i].getType());
    }
    Pipe pipe = new Pipe();
    open(AllTypes.class, all).write(pipe.sink, new AllTypes(true));
    Field[] some = all.clone();
    some[6] = null;
    some[all.length - 2] = null;
    AllTypes to = new AllTypes(false);

    access(new FieldLayout(AllTypes.class, codes, some, order, NumberWidth.FULL))
        .read(pipe.source(), to, 0);

    assertThat(to.gInt).isZero();
    assertThat(to.rows()).isNull();
    assertThat(to.iLong()).isEqualTo(0x8182838485868788L);
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
    assumeTrue(
        "has no loops of its own",
        strategy != AccessStrategy.STREAMS && strategy != AccessStrategy.REFLECTION);
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
  public void elementsThatHaveArrivedAreMadeTogether() throws Exception {
    assumeTrue(
        "has no loops of its own",
        order == ByteOrder.LITTLE_ENDIAN
            && (strategy == AccessStrategy.NESTMATE || strategy == AccessStrategy.HANDLES));
    FieldAccess access = open(TwoDoubles.class, fieldsOf(TwoDoubles.class));
    Object[] elements = {new TwoDoubles(1, 2), new TwoDoubles(3, 4), new TwoDoubles(5, 6)};
    Object[] read = new Object[5];
    Pipe pipe = new Pipe();
    pipe.together = true;

    access.writeRun(pipe.sink, elements, 0, TwoDoubles.class, 9, 1);
    pipe.sink.buffer.writeByte(8);
    int end = access.readRun(pipe.source(), 9, read, 1, 77);

    assertThat(end).as("up to what is no such object").isEqualTo(4);
    assertThat(Arrays.copyOfRange(read, 1, end)).usingRecursiveComparison().isEqualTo(elements);
    assertThat(pipe.ended).as("objects with handles").hasSize(3);
    assertThat(pipe.owners)
        .as("none was asked for, unless the JDK fills the objects")
        .hasSize(access instanceof StreamSetting ? 3 : 0);
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
  public void aRecordIsMadeWhenAllComponentsHaveArrived() throws Exception {
    assumeTrue(
        "makes no records",
        strategy == AccessStrategy.NESTMATE || strategy == AccessStrategy.HANDLES);
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
    assumeTrue(
        "makes no records",
        strategy == AccessStrategy.NESTMATE || strategy == AccessStrategy.HANDLES);
    Pipe pipe = new Pipe();
    FieldAccess access = open(Point.class, fieldsOf(Point.class));

    access.write(pipe.sink, new Point(3, "label"));
    pipe.intact = false;

    assertThat(access.readNew(pipe.source())).isNull();
    assertThat(pipe.ended).as("it has ended nevertheless").hasSize(1);
  }

  @Test
  public void aComponentOfTheWrongTypeIsTheJdksError() throws Exception {
    assumeTrue(
        "makes no records",
        strategy == AccessStrategy.NESTMATE || strategy == AccessStrategy.HANDLES);
    Pipe pipe = new Pipe();
    FieldAccess access = open(Point.class, fieldsOf(Point.class));

    access.write(pipe.sink, new Point(3, "label"));
    pipe.references.set(0, 42);

    assertThatThrownBy(() -> access.readNew(pipe.source()))
        .isInstanceOf(InvalidObjectException.class)
        .hasCauseInstanceOf(ClassCastException.class);
  }

  private static class Link implements java.io.Serializable {
    int number;
    Link next;
    Link other;

    Link(int number, Link next, Link other) {
      this.number = number;
      this.next = next;
      this.other = other;
    }
  }

  private static final class OtherLink extends Link {
    OtherLink(int number) {
      super(number, null, null);
    }
  }

  @Test
  public void objectsOfTheSameClassAreWrittenByOneAnother() throws Exception {
    FieldAccess access = open(Link.class, fieldsOf(Link.class));
    Pipe pipe = new Pipe();
    Link last = new Link(3, null, new OtherLink(4));
    Link second = new Link(2, last, last);
    access.write(pipe.sink, new Link(1, second, null), 9, 1);
    if (pipe.written.isEmpty()) {
      assertThat(pipe.references)
          .as("a strategy without generated code")
          .containsExactly(second, null);
      return;
    }
    assertThat(pipe.written).containsExactly(second, last);
    assertThat(pipe.references).containsExactly(null, last.other, last, null);
    assertThat(pipe.within).as("seen").isEqualTo(3);
    assertThat(pipe.left).as("written").isEqualTo(2);
    ByteBuffer expected = ByteBuffer.allocate(15).order(order);
    for (byte number = 1; number <= 3; number++) {
      expected.put((byte) 9).putInt(number);
    }
    assertThat(Arrays.copyOf(pipe.sink.buffer.bytes, pipe.sink.buffer.position))
        .isEqualTo(expected.array());
  }

  @Test
  public void objectsWithoutAnOpeningAreNotWrittenByOneAnother() throws Exception {
    Pipe pipe = new Pipe();
    Link second = new Link(2, null, null);
    open(Link.class, fieldsOf(Link.class)).write(pipe.sink, new Link(1, second, null));
    assertThat(pipe.written).isEmpty();
    assertThat(pipe.references).containsExactly(second, null);
  }

  @Test
  public void watchedObjectsAreNotWrittenByOneAnother() throws Exception {
    Pipe pipe = new Pipe();
    pipe.watched = true;
    Link second = new Link(2, null, null);
    open(Link.class, fieldsOf(Link.class)).write(pipe.sink, new Link(1, second, null), 9, 1);
    assertThat(pipe.written).isEmpty();
    assertThat(pipe.references).containsExactly(second, null);
  }

  /** Both ends of a stream: bytes, and references in the order in which they were written. */
  static final class Pipe {
    final List<Object> references = new ArrayList<>();
    final List<Integer> handles = new ArrayList<>();
    final List<Integer> owners = new ArrayList<>();
    final List<Object> written = new ArrayList<>();
    int within;
    int left;
    boolean watched;

    /** Whether objects may be taken from the buffer without asking for each one. */
    boolean together;

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
          public int assignNew(Object[] elements, int from, Class<?> type) {
            int taken = from;
            while (taken < elements.length
                && elements[taken] != null
                && elements[taken].getClass() == type
                && !watched
                && !written.contains(elements[taken])) {
              written.add(elements[taken++]);
            }
            return taken - from;
          }

          @Override
          public Object newlyAssigned(int before) {
            return written.get(written.size() - 1 - before);
          }

          @Override
          public boolean enterIfNew(Object object) {
            if (watched) {
              references.add(object);
              return false;
            }
            within++;
            return isNew(object);
          }

          @Override
          public void leave() {
            left++;
          }

          @Override
          public boolean isWatched() {
            return watched;
          }

          @Override
          public void writeString(String value) {
            references.add(value);
          }

          @Override
          public void writeExact(Object value, Class<?> type, int hash) {
            assertThat(hash).isEqualTo(System.identityHashCode(type));
            assertThat(value == null || value.getClass() == type).isTrue();
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
        public boolean takeIfNext(int number) {
          if (buffer.remaining() == 0 || buffer.bytes[buffer.position] != number) {
            return false;
          }
          buffer.position++;
          return true;
        }

        @Override
        public int runToken(int number) {
          return together ? number : 0;
        }

        @Override
        public void addLeaves(Object[] objects, int from, int to) {
          for (int i = from; i < to; i++) {
            addLeaf(objects[i]);
          }
        }

        @Override
        public void dependOnLast(int owner) {
          owners.add(owner);
        }

        @Override
        public boolean enterIfNext(ObjectAccess maker) {
          return false;
        }

        @Override
        public boolean enterIfNext(Class<?> woven) {
          return false;
        }

        @Override
        public void leaveTo(int owner) {
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
        public Object readString(int handle) {
          return readReference(handle);
        }

        @Override
        public Object readInteger(int handle) {
          return readReference(handle);
        }

        @Override
        public Object readLong(int handle) {
          return readReference(handle);
        }

        @Override
        public Object readDouble(int handle) {
          return readReference(handle);
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
}
