package io.karmi.uka.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** Numbers of classes that no message has told. */
public class NumberedClassesTest {
  private static final ClassLoader LOADER = NumberedClassesTest.class.getClassLoader();

  /** A record. */
  record Span(long length, TimeUnit unit) implements Serializable {}

  /** A class without a number. */
  record Other(String text) implements Serializable {}

  /** A writer of records that use numbers. */
  private static final class Writer {
    final OutputBuffer buffer = new OutputBuffer(64);
    final UkaObjectOutputStream stream = new UkaObjectOutputStream(buffer);
    final NumberedClasses classes;

    Writer(NumberedClasses classes) throws Exception {
      this.classes = classes;
      classes.begin(stream, buffer);
    }

    byte[] record(Object object) throws Exception {
      buffer.position = 0;
      stream.resetObjects();
      stream.writeObject(object);
      return Arrays.copyOf(buffer.bytes, buffer.position);
    }

    /** Writes an object, and takes it back. */
    void takeBack(Object object) throws Exception {
      record(object);
      stream.discardMessage();
      classes.goOn(stream, buffer);
    }
  }

  private static Object read(NumberedClasses classes, ClassLoader loader, byte[] record)
      throws Exception {
    InputBuffer buffer = new InputBuffer(new byte[0], 0, 0);
    LoaderInput stream = new LoaderInput(buffer, loader);
    classes.begin(stream, buffer);
    buffer.bytes = record;
    buffer.position = 0;
    buffer.limit = record.length;
    return stream.readObject();
  }

  @Test
  public void readersOfTheSameListOrItsBytesUnderstandTheNumbers() throws Exception {
    NumberedClasses first = NumberedClasses.of(List.of(ArrayList.class, Integer.class));
    NumberedClasses both = first.then(List.of(Integer.class, Span.class, TimeUnit.class));
    Span span = new Span(7, TimeUnit.DAYS);
    byte[] record = new Writer(both).record(span);
    assertThat(record).hasSizeLessThan(16);
    assertThat(both.contains(Integer.class)).isTrue();
    assertThat(both.contains(Other.class)).isFalse();
    NumberedClasses kept = NumberedClasses.kept(first.bytes()).thenKept(both.bytes());
    for (NumberedClasses classes : List.of(both, kept)) {
      assertThat(read(classes, LOADER, record)).isEqualTo(span);
    }
  }

  @Test
  public void recordsAreTheSameAfterOneThatWasTakenBack() throws Exception {
    NumberedClasses first = NumberedClasses.of(List.of(TimeUnit.class));
    Writer writer = new Writer(first.then(List.of(Span.class, Thread.State.class)));
    List<Object> all = new ArrayList<>();
    for (TimeUnit unit : TimeUnit.values()) {
      all.add(new Span(7, unit));
    }
    all.addAll(List.of(Thread.State.values()));
    for (Object each : all) {
      byte[] record = writer.record(each);
      writer.takeBack(List.of(TimeUnit.NANOSECONDS, new Other("text"), Thread.State.BLOCKED));
      assertThat(writer.record(each)).isEqualTo(record);
      assertThat(read(writer.classes, LOADER, record)).isEqualTo(each);
    }
  }

  @Test
  public void classThatIsMissingFailsWhereARecordHasIt() throws Exception {
    NumberedClasses classes = NumberedClasses.of(List.of(Other.class, TimeUnit.class, Span.class));
    Writer writer = new Writer(classes);
    byte[] fine = writer.record(TimeUnit.HOURS);
    byte[] missing = writer.record(new Other("text"));
    ClassLoader without =
        new ClassLoader(LOADER) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals(Other.class.getName())) {
              throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
          }
        };
    assertThat(read(classes, without, fine)).isEqualTo(TimeUnit.HOURS);
    assertThatThrownBy(() -> read(classes, without, missing))
        .isInstanceOf(ClassNotFoundException.class)
        .hasMessageContaining("Other");
  }

  @Test
  public void fingerprintTellsListsApart() throws Exception {
    NumberedClasses one = NumberedClasses.of(List.of(TimeUnit.class));
    assertThat(one.fingerprint())
        .isEqualTo(NumberedClasses.of(List.of(TimeUnit.class)).fingerprint())
        .isNotEqualTo(NumberedClasses.of(List.of(Span.class)).fingerprint())
        .isNotEqualTo(one.then(List.of(Span.class)).fingerprint());
  }
}
