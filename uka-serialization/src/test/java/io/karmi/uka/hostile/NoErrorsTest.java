package io.karmi.uka.hostile;

import static io.karmi.uka.hostile.ObjectBytes.read;
import static io.karmi.uka.hostile.ObjectBytes.readByMethods;
import static io.karmi.uka.hostile.ObjectBytes.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectStreamConstants;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.Test;

/** Whatever bytes say, reading them ends in an exception, not in an {@link Error}. */
public class NoErrorsTest {
  private static final int DEEP = 200_000;

  /** A list of three is one of a map with a key too many, if the tag says so. */
  @Test
  public void aMapWithoutItsLastValueIsInvalid() throws Exception {
    byte[] list = write(List.of("a", "b", "c"), UkaOptions.Format.JDK);
    byte[] map = write(Map.of("a", "b"), UkaOptions.Format.JDK);
    assertThat(read(map)).isEqualTo(Map.of("a", "b"));
    int tag = 3;
    boolean found = false;
    for (int i = 0; i + 3 < list.length && !found; i++) {
      /* The field is the first int behind the end of the description. */
      found = list[i] == 0x78 && list[i + 1] == 0x70 && list[i + 5] == 1;
      if (found) {
        list[i + 5] = (byte) tag;
      }
    }
    assertThat(found).isTrue();
    assertThatThrownBy(() -> read(list)).isInstanceOf(InvalidObjectException.class);
    assertThatThrownBy(() -> readByMethods(list)).isInstanceOf(InvalidObjectException.class);
  }

  @Test
  public void aListOfTheJdkThatClaimsMoreThanThereIsMemoryEndsTooEarly() throws Exception {
    byte[] bytes = write(new CopyOnWriteArrayList<>(List.of("a")), UkaOptions.Format.JDK);
    int at = bytes.length - 9;
    while (bytes[at] != 0x77) {
      at--;
    }
    bytes[at + 2] = 0x7F;
    bytes[at + 3] = (byte) 0xFF;
    bytes[at + 4] = (byte) 0xFF;
    bytes[at + 5] = (byte) 0xFF;
    assertThatThrownBy(() -> read(bytes)).isInstanceOf(EOFException.class);
  }

  /** Writes objects of a class that is not here, each within the data of the one before. */
  private static byte[] nestedAbsent(boolean arrays) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(ObjectStreamConstants.STREAM_MAGIC << 16 | ObjectStreamConstants.STREAM_VERSION);
    out.writeByte(arrays ? ObjectStreamConstants.TC_ARRAY : ObjectStreamConstants.TC_OBJECT);
    out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
    out.writeUTF(arrays ? "[Labsent.From.Here;" : "absent.From.Here");
    out.writeLong(1);
    out.writeByte(
        arrays
            ? ObjectStreamConstants.SC_SERIALIZABLE
            : ObjectStreamConstants.SC_SERIALIZABLE | ObjectStreamConstants.SC_WRITE_METHOD);
    out.writeShort(0);
    out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
    out.writeByte(ObjectStreamConstants.TC_NULL);
    for (int i = 0; i < DEEP; i++) {
      if (arrays) {
        out.writeInt(1);
      }
      out.writeByte(arrays ? ObjectStreamConstants.TC_ARRAY : ObjectStreamConstants.TC_OBJECT);
      out.writeByte(ObjectStreamConstants.TC_REFERENCE);
      out.writeInt(ObjectStreamConstants.baseWireHandle);
    }
    return bytes.toByteArray();
  }

  @Test
  public void absentClassesWithinEachOtherDoNotEndTheStack() throws Exception {
    for (boolean arrays : new boolean[] {true, false}) {
      byte[] bytes = nestedAbsent(arrays);
      assertThatThrownBy(() -> read(bytes)).as("arrays: " + arrays).isInstanceOf(IOException.class);
    }
  }

  /** A class whose superclass cannot be found. */
  private static final class Torn extends ClassLoader {
    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (name.equals("torn.Class")) {
        throw new NoClassDefFoundError("torn/Superclass");
      }
      throw new ClassNotFoundException(name);
    }
  }

  @Test
  public void aClassThatCannotBeLinkedIsAMissingOne() throws Exception {
    String real = "absent.From.Here";
    byte[] bytes = nestedAbsent(false);
    ByteArrayOutputStream torn = new ByteArrayOutputStream();
    torn.write(bytes, 0, 6);
    DataOutputStream out = new DataOutputStream(torn);
    out.writeUTF("torn.Class");
    out.write(bytes, 6 + 2 + real.length(), 13);
    out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
    Class<?> inTorn = Class.forName(Reading.class.getName(), true, new Copying(new Torn()));
    Object reading = inTorn.getDeclaredConstructor().newInstance();
    Function<byte[], Object> function = cast(reading);
    Object outcome = function.apply(torn.toByteArray());
    assertThat(outcome).isInstanceOf(ClassNotFoundException.class);
  }

  @SuppressWarnings("unchecked")
  private static <T> T cast(Object object) {
    return (T) object;
  }

  /** Reads on behalf of a loader of its own. */
  public static final class Reading implements Function<byte[], Object> {
    @Override
    public Object apply(byte[] bytes) {
      try {
        return new UkaObjectInputStream(new ByteArrayInputStream(bytes)).readObject();
      } catch (IOException | ClassNotFoundException e) {
        return e;
      }
    }
  }

  /** Defines {@link Reading} itself. */
  private static final class Copying extends ClassLoader {
    Copying(ClassLoader parent) {
      super(parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.equals(Reading.class.getName())) {
        return super.loadClass(name, resolve);
      }
      try (var in = NoErrorsTest.class.getResourceAsStream("NoErrorsTest$Reading.class")) {
        byte[] code = in.readAllBytes();
        return defineClass(name, code, 0, code.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  /** Hides a class of java.base from the plug-in that it loads. */
  private static final class Hiding extends ClassLoader {
    private final Set<String> hidden;

    Hiding(Set<String> hidden) {
      super(NoErrorsTest.class.getClassLoader());
      this.hidden = hidden;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (hidden.contains(name)) {
        throw new ClassNotFoundException("hidden: " + name);
      }
      return super.loadClass(name, resolve);
    }
  }

  @Test
  public void loadersThatHideClassesAreAsked() throws Exception {
    assertThat(readWhereItIsHidden(new java.util.BitSet()))
        .isInstanceOf(ClassNotFoundException.class)
        .asString()
        .contains("java.util.BitSet");
  }

  @Test
  public void classesThatNearlyEveryStreamHasAreReadThoughALoaderHidesThem() throws Exception {
    for (Object each : List.of(1, 2.5, new ArrayList<>(), new HashMap<>(), new int[0])) {
      assertThat(readWhereItIsHidden(each)).isEqualTo(each);
    }
  }

  /** What a plug-in reads, after others have read the same, whose loader hides the class. */
  private Object readWhereItIsHidden(Object object) throws Exception {
    byte[] bytes = write(object, UkaOptions.Format.UKA);
    assertThat(read(bytes)).isEqualTo(object);
    Hiding hiding = new Hiding(Set.of(object.getClass().getName()));
    Class<?> plugIn = Class.forName(Reading.class.getName(), true, new Copying(hiding));
    Function<byte[], Object> function = cast(plugIn.getDeclaredConstructor().newInstance());
    return function.apply(bytes);
  }
}
