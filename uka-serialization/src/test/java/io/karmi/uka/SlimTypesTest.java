package io.karmi.uka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.Test;

/** What a reader with rules of its own sees of types that the stream only names. */
public class SlimTypesTest {
  private static final UkaOptions SLIM =
      new UkaOptions(UkaOptions.Format.UKA, UkaOptions.Types.SLIM);
  private static final UkaOptions FULL =
      new UkaOptions(UkaOptions.Format.UKA, UkaOptions.Types.FULL);

  static class Base implements Serializable {
    private static final long serialVersionUID = 11;
    static int reads;
    int size = 4;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      reads++;
      in.defaultReadObject();
    }
  }

  static class Middle extends Base {
    private static final long serialVersionUID = 12;
    long weight = 5;
    String name = "middle";
  }

  static final class Sub extends Middle {
    private static final long serialVersionUID = 13;
    int count = 6;
  }

  /** Classes that were initialized, by any loader. */
  public static final List<String> INITIALIZED = new ArrayList<>();

  static class Noted implements Serializable {
    private static final long serialVersionUID = 21;

    static {
      INITIALIZED.add("Noted");
    }
  }

  static final class BelowNoted extends Noted {
    private static final long serialVersionUID = 22;

    static {
      INITIALIZED.add("BelowNoted");
    }
  }

  private enum Colour {
    RED
  }

  private static byte[] write(Object object, UkaOptions options) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (UkaObjectOutputStream out = new UkaObjectOutputStream(bytes, options)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  /** Refuses some classes, and notes each that it is shown. */
  private static class Looking extends UkaObjectInputStream {
    final List<String> seen = new ArrayList<>();
    final Map<String, ObjectStreamClass> last = new LinkedHashMap<>();
    Set<String> refused = Set.of();

    Looking(InputStream in) throws IOException {
      super(in);
    }

    Looking(InputBuffer in) throws IOException {
      super(in);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      seen.add(description.getName());
      last.put(description.getName(), description);
      if (refused.contains(description.getName())) {
        throw new InvalidClassException(description.getName(), "refused by the program");
      }
      return super.resolveClass(description);
    }
  }

  private static Looking lookAt(byte[] bytes) throws IOException {
    return new Looking(new ByteArrayInputStream(bytes));
  }

  @Test
  public void aSuperclassThatTheProgramRefusesIsNotRead() throws Exception {
    for (Class<?> refused : List.of(Base.class, Middle.class, Sub.class)) {
      Looking in = lookAt(write(new Sub(), SLIM));
      in.refused = Set.of(refused.getName());
      Base.reads = 0;
      assertThatThrownBy(in::readObject)
          .isInstanceOf(InvalidClassException.class)
          .hasMessageContaining(refused.getName() + "; refused by the program");
      assertThat(Base.reads).as("data read of a hierarchy with " + refused).isZero();
    }
  }

  @Test
  public void eachClassOfTheHierarchyIsShownAsItIs() throws Exception {
    Looking in = lookAt(write(new Sub(), SLIM));
    Sub read = (Sub) in.readObject();
    assertThat(read.size + read.weight + read.count).isEqualTo(15);

    assertThat(in.last.keySet())
        .containsExactly(Sub.class.getName(), Middle.class.getName(), Base.class.getName());
    for (Class<?> type : List.of(Sub.class, Middle.class, Base.class)) {
      assertSame(in.last.get(type.getName()), ObjectStreamClass.lookup(type));
    }
  }

  private static void assertSame(ObjectStreamClass shown, ObjectStreamClass local) {
    assertThat(shown.getSerialVersionUID()).isEqualTo(local.getSerialVersionUID());
    assertThat(shown.toString()).isEqualTo(local.toString());
    assertThat(shown.getFields())
        .extracting(Object::toString)
        .containsExactlyInAnyOrder(
            List.of(local.getFields()).stream().map(Object::toString).toArray(String[]::new));
  }

  @Test
  public void noClassIsInitializedBeforeTheFilterHasSeenItsSuperclasses() throws Exception {
    for (UkaOptions options : List.of(SLIM, FULL)) {
      byte[] written = write(new BelowNoted(), options);
      INITIALIZED.clear();
      ClassLoader own = new OwnLoader(Noted.class, BelowNoted.class);
      UkaObjectInputStream in =
          new UkaObjectInputStream(new ByteArrayInputStream(written)) {
            @Override
            protected Class<?> resolveClass(ObjectStreamClass description)
                throws ClassNotFoundException {
              return Class.forName(description.getName(), false, own);
            }
          };
      in.setObjectInputFilter(
          info ->
              info.serialClass() != null && info.serialClass().getName().endsWith("$Noted")
                  ? ObjectInputFilter.Status.REJECTED
                  : ObjectInputFilter.Status.UNDECIDED);
      assertThatThrownBy(in::readObject)
          .isInstanceOf(InvalidClassException.class)
          .hasMessageContaining("REJECTED");
      assertThat(INITIALIZED).as("%s", options).isEmpty();
    }
  }

  /** Loader that has these classes once more. */
  private static final class OwnLoader extends ClassLoader {
    private final Map<String, Class<?>> classes = new LinkedHashMap<>();

    OwnLoader(Class<?>... originals) throws IOException {
      super(SlimTypesTest.class.getClassLoader());
      for (Class<?> each : originals) {
        String file = each.getName().replace('.', '/') + ".class";
        try (InputStream in = getParent().getResourceAsStream(file)) {
          byte[] bytes = in.readAllBytes();
          classes.put(each.getName(), defineClass(each.getName(), bytes, 0, bytes.length));
        }
      }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      Class<?> own = classes.get(name);
      return own != null ? own : super.loadClass(name, resolve);
    }
  }

  @Test
  public void theClassesThatAreShownAreThoseOfFullTypes() throws Exception {
    for (Object object : List.of(new Sub(), Colour.RED, new Sub[] {new Sub()}, Sub.class)) {
      Looking slim = lookAt(write(object, SLIM));
      Looking full = lookAt(write(object, FULL));
      slim.readObject();
      full.readObject();
      assertThat(slim.last.keySet()).containsExactlyElementsOf(full.last.keySet());
    }
  }

  @Test
  public void aProgramThatAnswersWithAnotherSuperclassIsRefused() throws Exception {
    byte[] bytes = write(new Sub(), SLIM);
    Looking in =
        new Looking(new ByteArrayInputStream(bytes)) {
          @Override
          protected Class<?> resolveClass(ObjectStreamClass description)
              throws IOException, ClassNotFoundException {
            Class<?> type = super.resolveClass(description);
            return type == Base.class ? Colour.class : type;
          }
        };
    assertThatThrownBy(in::readObject)
        .isInstanceOf(InvalidClassException.class)
        .hasMessageContaining(Base.class.getName())
        .hasMessageContaining(Colour.class.getName())
        .hasMessageContaining("uka.types=full");
  }

  @Test
  public void aProgramThatDoesNotFindASuperclassIsRefused() throws Exception {
    byte[] bytes = write(new Sub(), SLIM);
    Looking in =
        new Looking(new ByteArrayInputStream(bytes)) {
          @Override
          protected Class<?> resolveClass(ObjectStreamClass description)
              throws IOException, ClassNotFoundException {
            Class<?> type = super.resolveClass(description);
            if (type == Base.class) {
              throw new ClassNotFoundException("hidden");
            }
            return type;
          }
        };
    assertThatThrownBy(in::readObject)
        .isInstanceOf(InvalidClassException.class)
        .hasMessageContaining(Base.class.getName())
        .hasRootCauseInstanceOf(ClassNotFoundException.class);
  }

  /** Reads an annotation where there is one, as programs do that annotate classes. */
  private static final class Annotated extends Looking {
    final List<Object> annotations = new ArrayList<>();

    Annotated(byte[] bytes) throws IOException {
      super(new ByteArrayInputStream(bytes));
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      annotations.add(readObject());
      return super.resolveClass(description);
    }
  }

  @Test
  public void aStreamThatAnnotatesClassesDescribesEachInFull() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (UkaObjectOutputStream out =
        new UkaObjectOutputStream(bytes, SLIM) {
          @Override
          protected void annotateClass(Class<?> type) throws IOException {
            writeObject("of " + type.getSimpleName());
          }
        }) {
      out.writeObject(new Sub());
    }
    Annotated in = new Annotated(bytes.toByteArray());
    assertThat(in.readObject()).isInstanceOf(Sub.class);
    assertThat(in.annotations).containsExactly("of Sub", "of Middle", "of Base");
  }

  @Test
  public void anAnnotationThatIsNotThereIsNotReadFromTheObject() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (UkaObjectOutputStream out = new UkaObjectOutputStream(bytes, SLIM)) {
      out.writeObject(new Sub());
    }
    Looking in =
        new Looking(new ByteArrayInputStream(bytes.toByteArray())) {
          @Override
          protected Class<?> resolveClass(ObjectStreamClass description)
              throws IOException, ClassNotFoundException {
            assertThat(available()).isZero();
            assertThat(read()).as("bytes of an annotation").isEqualTo(-1);
            assertThatThrownBy(this::readObject).isInstanceOf(java.io.OptionalDataException.class);
            return super.resolveClass(description);
          }
        };
    assertThat(((Sub) in.readObject()).name).isEqualTo("middle");
  }

  @Test
  public void aReaderThatAsksForFullTypesTakesNoOthers() throws Exception {
    byte[] slim = write(new Sub(), SLIM);
    assertRefused(new UkaObjectInputStream(new ByteArrayInputStream(slim), FULL));
    assertThat(new UkaObjectInputStream(new ByteArrayInputStream(slim), SLIM).readObject())
        .isInstanceOf(Sub.class);
    assertThat(new UkaObjectInputStream(new ByteArrayInputStream(slim)).readObject())
        .isInstanceOf(Sub.class);
    System.setProperty("uka.types", "full");
    try {
      assertRefused(new UkaObjectInputStream(new ByteArrayInputStream(slim)));
      assertRefused(new UkaObjectInputStream(new InputBuffer(slim, 5, slim.length)));
    } finally {
      System.clearProperty("uka.types");
    }
  }

  private static void assertRefused(UkaObjectInputStream in) {
    Base.reads = 0;
    assertThatThrownBy(in::readObject)
        .isInstanceOf(InvalidClassException.class)
        .hasMessageContaining(Sub.class.getName())
        .hasMessageContaining("uka.types");
    assertThat(Base.reads).isZero();
  }

  @Test
  public void aReaderOfDescriptorsTakesNoSlimTypes() throws Exception {
    byte[] slim = write(new Sub(), SLIM);
    UkaObjectInputStream in =
        new UkaObjectInputStream(new ByteArrayInputStream(slim)) {
          @Override
          protected ObjectStreamClass readClassDescriptor()
              throws IOException, ClassNotFoundException {
            return super.readClassDescriptor();
          }
        };
    Base.reads = 0;
    assertThatThrownBy(in::readObject)
        .isInstanceOf(InvalidClassException.class)
        .hasMessageContaining("readClassDescriptor")
        .hasMessageContaining("uka.types=full");
    assertThat(Base.reads).isZero();
  }

  @Test
  public void rebindingShowsTheSuperclassesAgain() throws Exception {
    OutputBuffer sent = new OutputBuffer(256);
    UkaObjectOutputStream out = new UkaObjectOutputStream(sent, SLIM);
    InputBuffer received = new InputBuffer(new byte[0], 0, 0);
    Looking in = new Looking(received);
    receive(in, received, send(out, sent));
    in.seen.clear();
    in.reader().rebindTypes();
    assertThat(in.seen).contains(Sub.class.getName(), Middle.class.getName(), Base.class.getName());
    receive(in, received, send(out, sent));

    in.refused = Set.of(Base.class.getName());
    assertThatThrownBy(in.reader()::rebindTypes)
        .isInstanceOf(InvalidClassException.class)
        .hasMessageContaining(Base.class.getName());
  }

  private static OutputBuffer send(UkaObjectOutputStream out, OutputBuffer sent)
      throws IOException {
    sent.position = 0;
    out.resetObjects();
    out.writeObject(new Sub());
    return sent;
  }

  private static void receive(Looking in, InputBuffer received, OutputBuffer sent)
      throws Exception {
    received.bytes = sent.bytes;
    received.position = 0;
    received.limit = sent.position;
    in.resetObjects();
    assertThat(in.readObject()).isInstanceOf(Sub.class);
  }
}
