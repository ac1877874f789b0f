package io.karmi.uka.hostile;

import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.FieldDescription;
import io.karmi.uka.type.LocalClass;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import javax.management.Attribute;
import org.jspecify.annotations.Nullable;

/** Streams of the JDK's format that describe objects as no JVM would write them. */
final class ForgedObjects implements ObjectStreamConstants {
  /** Bytes of one value. The number of handles that it takes is the writer's to know. */
  interface Value {
    void write(ForgedObjects to, int self) throws IOException;
  }

  /** Bytes of the value of one field, which is null where the class has no such field. */
  interface FieldValue {
    void write(ForgedObjects to, int self, Field field) throws IOException;
  }

  /** Levels of the shared lists: hashing them takes 2^40 steps. */
  private static final int LEVELS = 40;

  /** What stands in the place of each reference, and what custom data consists of. */
  enum Content {
    NOTHING((to, self, field) -> to.writeNull(), (to, self) -> {}),
    ITSELF(
        (to, self, field) -> to.writeHandle(self),
        (to, self) -> {
          to.writeBlock(1, 1, 1, 1);
          to.writeHandle(self);
          to.writeHandle(self);
        }),
    SHARED_LISTS(
        (to, self, field) -> to.writeHandle(to.lists),
        (to, self) -> {
          to.writeBlock(2, 1, 1, 1);
          to.writeHandle(to.lists);
          to.writeHandle(to.lists);
          to.writeHandle(to.lists);
        }),
    FITTING((to, self, field) -> to.writeFitting(field), (to, self) -> to.writeElements()),
    FITTING_BEHIND_ONE(
        (to, self, field) -> to.writeFitting(field),
        (to, self) -> {
          to.writeBlock(1);
          to.writeElements();
        }),
    FITTING_BEHIND_TWO(
        (to, self, field) -> to.writeFitting(field),
        (to, self) -> {
          to.writeBlock(1, 1);
          to.writeElements();
        }),
    FITTING_BEHIND_THREE(
        (to, self, field) -> to.writeFitting(field),
        (to, self) -> {
          to.writeBlock(0x3f400000, 1, 1);
          to.writeElements();
        }),
    LENGTHS(
        (to, self, field) -> to.writeString("a"),
        (to, self) -> {
          to.writeBlock(0x00ffffff, 0x00ffffff, 0x00ffffff, 0x00ffffff);
          to.writeString("a");
          to.writeString("b");
        });

    private final FieldValue reference;
    private final Value custom;

    Content(FieldValue reference, Value custom) {
      this.reference = reference;
      this.custom = custom;
    }
  }

  private static final int ARRAY = 1;

  /** Name of a class to whose description a reference is added that the class does not have. */
  private @Nullable String extra;

  private int lists;
  private int sync;
  private int lock;

  private static final Class<?> SYNC = syncOf();

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  final DataOutputStream out = new DataOutputStream(bytes);

  /** Number of handles that have been given. */
  private int handles;

  ForgedObjects() throws IOException {
    out.writeShort(STREAM_MAGIC);
    out.writeShort(STREAM_VERSION);
  }

  private static Class<?> syncOf() {
    for (Class<?> each : ReentrantLock.class.getDeclaredClasses()) {
      if (each.getSimpleName().equals("NonfairSync")) {
        return each;
      }
    }
    throw new AssertionError();
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }

  void writeNull() throws IOException {
    out.writeByte(TC_NULL);
  }

  void writeString(String text) throws IOException {
    out.writeByte(TC_STRING);
    handles++;
    out.writeUTF(text);
  }

  void writeHandle(int number) throws IOException {
    out.writeByte(TC_REFERENCE);
    out.writeInt(baseWireHandle + number);
  }

  /** An int in a block of its own, as {@code writeObject} methods write it. */
  void writeBlock(int... values) throws IOException {
    out.writeByte(TC_BLOCKDATA);
    out.writeByte(values.length * Integer.BYTES);
    for (int value : values) {
      out.writeInt(value);
    }
  }

  /** Description of a class and its superclasses, less those that are left out. */
  private void writeDescriptions(List<LocalClass> levels) throws IOException {
    for (LocalClass level : levels) {
      ClassDescription description = level.description();
      out.writeByte(TC_CLASSDESC);
      out.writeUTF(description.name);
      out.writeLong(level.streamClass().getSerialVersionUID());
      handles++;
      out.writeByte(description.flags);
      out.writeShort(description.fields.length + (description.name.equals(extra) ? 1 : 0));
      for (FieldDescription field : description.fields) {
        out.writeByte(field.code());
        out.writeUTF(field.name());
        if (!field.isPrimitive()) {
          writeString(field.signature());
        }
      }
      if (description.name.equals(extra)) {
        out.writeByte('L');
        out.writeUTF("extra");
        writeString("Ljava/lang/Object;");
      }
      out.writeByte(TC_ENDBLOCKDATA);
    }
    writeNull();
  }

  /**
   * A stream of an array whose last element is an object with this content.
   *
   * @param present the levels that its description has
   * @param fill each byte of each primitive field
   */
  static byte[] of(Class<?> type, Predicate<LocalClass> present, int fill, Content content)
      throws IOException {
    ForgedObjects to = new ForgedObjects();
    to.out.writeByte(TC_ARRAY);
    to.out.writeByte(TC_CLASSDESC);
    to.out.writeUTF("[Ljava.lang.Object;");
    to.out.writeLong(ObjectStreamClass.lookupAny(Object[].class).getSerialVersionUID());
    to.out.writeByte(SC_SERIALIZABLE);
    to.out.writeShort(0);
    to.out.writeByte(TC_ENDBLOCKDATA);
    to.writeNull();
    to.handles += 2;
    to.out.writeInt(4);
    to.lists = to.writeLists(LEVELS);
    to.sync = to.writeObject(SYNC, level -> true, 1, (in, self, field) -> {}, (in, self) -> {});
    to.lock = to.writeLock(to.sync);
    to.writeObject(type, present, fill, content.reference, content.custom);
    return to.toBytes();
  }

  /**
   * A lock whose state, with a field that the class does not have, holds a queue that uses the
   * lock.
   */
  static byte[] queueInItsLock() throws IOException {
    ForgedObjects to = new ForgedObjects();
    to.writeObject(
        ReentrantLock.class,
        level -> true,
        0,
        (in, lock, field) -> {
          in.extra = "java.util.concurrent.locks.ReentrantLock$Sync";
          in.writeObject(
              SYNC,
              level -> true,
              1,
              (of, self, none) -> {
                of.extra = null;
                of.writeQueue(self);
              },
              (of, self) -> {});
        },
        (in, self) -> {});
    return to.toBytes();
  }

  private int writeLock(int state) throws IOException {
    return writeObject(
        ReentrantLock.class,
        level -> true,
        0,
        (to, self, field) -> to.writeHandle(state),
        (to, self) -> {});
  }

  /** A queue that takes locks with the state of this handle when it is read. */
  private void writeQueue(int state) throws IOException {
    writeObject(
        LinkedBlockingQueue.class,
        level -> true,
        1,
        (to, self, field) -> {
          if (field.getType() == ReentrantLock.class) {
            to.writeLock(state);
          } else {
            to.writeFitting(field);
          }
        },
        (to, self) -> {
          to.writeString("element");
          to.writeNull();
        });
  }

  /** Lists of which each has the next one twice. */
  private int writeLists(int levels) throws IOException {
    return writeObject(
        LinkedList.class,
        level -> true,
        0,
        (to, self, field) -> {},
        (to, self) -> {
          to.writeBlock(2);
          if (levels == 0) {
            to.writeNull();
            to.writeNull();
          } else {
            to.writeHandle(to.writeAttribute(levels - 1));
          }
        });
  }

  private void writeElements() throws IOException {
    writeHandle(lists);
    writeHandle(lists);
    writeNull();
  }

  /** An object whose hash is made of its value's. */
  private int writeAttribute(int levels) throws IOException {
    return writeObject(
        Attribute.class,
        level -> true,
        0,
        (to, self, field) -> {
          if (field.getType() == String.class) {
            to.writeString("a");
          } else {
            to.writeLists(levels);
          }
        },
        (to, self) -> {});
  }

  /** A value of a field's type, if there is one here that could do harm; else null. */
  private void writeFitting(Field field) throws IOException {
    Class<?> type = field == null ? Void.class : field.getType();
    if (type == String.class) {
      writeString("a");
    } else if (type.isAssignableFrom(LinkedList.class)) {
      writeHandle(lists);
    } else if (type.isAssignableFrom(ReentrantLock.class)) {
      writeHandle(lock);
    } else if (type.isAssignableFrom(SYNC)) {
      writeHandle(sync);
    } else if (type == Object[].class) {
      writeHandle(ARRAY);
    } else if (type == AtomicInteger.class) {
      writeObject(type, level -> true, 1, (in, self, each) -> {}, (in, self) -> {});
    } else {
      writeNull();
    }
  }

  static List<LocalClass> levelsOf(Class<?> type) {
    List<LocalClass> levels = new ArrayList<>();
    for (LocalClass level = LocalClass.of(type); level != null; level = level.superclass) {
      levels.add(level);
    }
    return levels;
  }

  /**
   * An object with the same content at each place.
   *
   * @param present the levels that the description has
   * @param fill each byte of each primitive field
   * @param reference written for each reference; null for null
   * @param custom what the {@code writeObject} methods have written
   * @return the object's handle
   */
  int writeObject(
      Class<?> type, Predicate<LocalClass> present, int fill, FieldValue reference, Value custom)
      throws IOException {
    List<LocalClass> levels = levelsOf(type).stream().filter(present).toList();
    boolean external = LocalClass.of(type).isExternalizable;
    out.writeByte(TC_OBJECT);
    writeDescriptions(levels);
    int handle = handles++;
    if (external) {
      custom.write(this, handle);
      out.writeByte(TC_ENDBLOCKDATA);
      return handle;
    }
    for (int i = levels.size() - 1; i >= 0; i--) {
      ClassDescription description = levels.get(i).description();
      for (int j = 0; j < description.primitiveBytes; j++) {
        out.writeByte(fill);
      }
      for (int j = description.firstReference(); j < description.fields.length; j++) {
        reference.write(this, handle, levels.get(i).fields()[j]);
      }
      if (description.name.equals(extra)) {
        reference.write(this, handle, null);
      }
      if (description.hasWriteMethod()) {
        custom.write(this, handle);
        out.writeByte(TC_ENDBLOCKDATA);
      }
    }
    return handle;
  }
}
