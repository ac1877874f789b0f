package io.karmi.uka.codec;

import io.karmi.uka.engine.LocalFields;
import io.karmi.uka.engine.read.Claims;
import io.karmi.uka.engine.read.ObjectReader;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.RunReader;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.platform.Instantiator;
import io.karmi.uka.platform.PrimitiveBlock;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedList;
import org.jspecify.annotations.Nullable;

/** Lists and queues: the counterpart of {@link SequenceMarshaler}. */
public abstract class SequenceReader extends PlatformReader {
  private SequenceReader(ReadType type) {
    super(type);
  }

  /** Adds what the stream has, as long as nothing is missing. */
  static void readElements(ObjectReader in, Collection<Object> into, int size, boolean hashed)
      throws IOException {
    if (size <= 0) {
      return;
    }
    in.beginElements();
    int handle = in.currentHandle();
    long open = in.claims().open;
    for (int i = 0; i < size; i++) {
      in.claims().open = open + size - i - 1;
      Object element = in.readElement(handle, size - i - 1);
      if (in.isMarked()) {
        return;
      }
      if (hashed) {
        in.hashCost().add(element);
      }
      into.add(element);
      if (i + 1 < size && in.comesRun()) {
        i += readRun(in, into, size - i - 1, handle);
        if (in.isMarked()) {
          return;
        }
      }
    }
  }

  private static int readField(ObjectReader in) throws IOException {
    int field = in.buffer().readInt();
    return in.isLittleEndian() ? field : Integer.reverseBytes(field);
  }

  /** Adds elements that were written together, if such come next; returns how many. */
  private static int readRun(ObjectReader in, Collection<Object> into, int most, int handle)
      throws IOException {
    RunReader runs = in.runs();
    Object[] elements = runs.takeRoom();
    int length = runs.read(elements, 0, Math.min(most, elements.length), handle);
    for (int i = 0; i < length; i++) {
      into.add(elements[i]);
    }
    runs.giveRoom(elements, length);
    return length;
  }

  static final class OfLinkedList extends SequenceReader {
    OfLinkedList(ReadType type) {
      super(type);
    }

    @Override
    public Object read(ObjectReader in, boolean unshared) throws IOException {
      int size = readSize(in);
      LinkedList<Object> list = new LinkedList<>();
      in.begin(list, type, unshared);
      readElements(in, list, size, false);
      end(in);
      return list;
    }
  }

  /**
   * While its elements are read, a list that the JDK reads has its size, and no array yet. So it is
   * here where those fields can be reached; elsewhere the list is full of nulls.
   */
  static final class OfArrayList extends SequenceReader {
    private static final @Nullable FieldAccess FIELDS =
        LocalFields.reach(ArrayList.class, "size", "elementData");

    OfArrayList(ReadType type) {
      super(type);
    }

    @Override
    public Object read(ObjectReader in, boolean unshared) throws IOException {
      int head = readHead(in);
      int size = head == ShortForms.GENERAL ? readField(in) : head >>> 1;
      if (head == ShortForms.GENERAL) {
        readBlockInt(in);
      }
      if (size < 0) {
        throw new InvalidObjectException("Invalid size: " + size);
      }
      Object list;
      if (size == 0) {
        list = new ArrayList<>(0);
        in.begin(list, type, unshared);
      } else {
        in.check(Object[].class, size);
        list =
            FIELDS == null
                ? readPublicly(in, size, unshared)
                : readInto(FIELDS, in, size, unshared);
      }
      end(in);
      return list;
    }

    private ArrayList<Object> readPublicly(ObjectReader in, int size, boolean unshared)
        throws IOException {
      int room = in.claims().areBelievable(size) ? size : Claims.FEW;
      Object[] elements = new Object[room];
      ArrayList<Object> list = new ArrayList<>(new Nulls(elements));
      in.begin(list, type, unshared);
      elements = fill(in, elements, size);
      for (int i = 0; i < room; i++) {
        list.set(i, elements[i]);
      }
      for (int i = room; i < elements.length; i++) {
        list.add(elements[i]);
      }
      return list;
    }

    private Object readInto(FieldAccess fields, ObjectReader in, int size, boolean unshared)
        throws IOException {
      ArrayList<Object> list = new ArrayList<>(0);
      setInt(in, fields, list, size);
      fields.setReference(list, 0, null);
      in.begin(list, type, unshared);
      fields.setReference(list, 0, fill(in, newElements(in, size), size));
      return list;
    }
  }

  /** What a list is filled with, which copies it, from an array that has another use afterwards. */
  private static final class Nulls extends AbstractList<Object> {
    private final Object[] nulls;

    Nulls(Object[] nulls) {
      this.nulls = nulls;
    }

    @Override
    public Object[] toArray() {
      return nulls;
    }

    @Override
    public @Nullable Object get(int index) {
      return nulls[index];
    }

    @Override
    public int size() {
      return nulls.length;
    }
  }

  /** Its elements are read into the array that it has already, which takes access to that. */
  static final class OfArrayDeque extends SequenceReader {
    @SuppressWarnings("NullAway") // no reader is made if it is null
    private static final FieldAccess FIELDS =
        LocalFields.reach(ArrayDeque.class, "tail", "elements");

    private OfArrayDeque(ReadType type) {
      super(type);
    }

    static @Nullable Unmarshaler of(ReadType type) {
      return FIELDS == null ? null : new OfArrayDeque(type);
    }

    @Override
    public Object read(ObjectReader in, boolean unshared) throws IOException {
      int size = readSize(in);
      if (size < 0 || size == Integer.MAX_VALUE) {
        throw new InvalidObjectException("Invalid size: " + size);
      }
      in.check(Object[].class, size + 1);
      ArrayDeque<Object> queue = new ArrayDeque<>(0);
      Object[] elements = newElements(in, size + 1);
      FIELDS.setReference(queue, 0, elements);
      setInt(in, FIELDS, queue, size);
      in.begin(queue, type, unshared);
      fill(in, elements, size);
      end(in);
      return queue;
    }
  }

  /** What stands for a list, set or map, which it is resolved to at the end. */
  static final class OfImmutable extends SequenceReader {
    @SuppressWarnings("NullAway") // no reader is made if it is null
    private static final FieldAccess FIELDS = fields();

    /* Tags, of which the lowest byte counts. */
    private static final int SET = 2;
    private static final int MAP = 3;

    private final Instantiator instantiator;

    private static void checkHashed(ObjectReader in, Object[] elements, int kind)
        throws InvalidObjectException {
      if (kind == MAP && (elements.length & 1) != 0) {
        throw new InvalidObjectException("a map of " + elements.length + " keys and values");
      }
      for (int i = 0; i < elements.length; i += kind == MAP ? 2 : 1) {
        in.hashCost().add(elements[i]);
      }
    }

    private OfImmutable(ReadType type, Instantiator instantiator) {
      super(type);
      this.instantiator = instantiator;
    }

    private static @Nullable FieldAccess fields() {
      try {
        Class<?> type = Class.forName("java.util.CollSer", false, null);
        return LocalFields.reach(type, "tag", "array");
      } catch (ClassNotFoundException e) {
        return null;
      }
    }

    static @Nullable Unmarshaler of(ReadType type, LocalClass local) {
      Instantiator instantiator = FIELDS == null ? null : local.instantiator();
      return instantiator == null ? null : new OfImmutable(type, instantiator);
    }

    @Override
    public Object read(ObjectReader in, boolean unshared) throws IOException {
      int head = readHead(in);
      boolean isGeneral = head == ShortForms.GENERAL;
      int tag = isGeneral ? readField(in) : ShortForms.tag(head);
      int length = isGeneral ? readBlockInt(in) : ShortForms.length(head);
      if (length < 0) {
        throw new InvalidObjectException("negative length " + length);
      }
      in.check(Object[].class, length);
      Object object;
      try {
        object = instantiator.newInstance();
      } catch (ReflectiveOperationException e) {
        throw unableToCreate(e);
      }
      setInt(in, FIELDS, object, tag);
      in.begin(object, type, unshared);
      Object[] elements = fill(in, newElements(in, length), length);
      if (((tag & 0xFF) == SET || (tag & 0xFF) == MAP) && !in.isMarked()) {
        checkHashed(in, elements, tag & 0xFF);
      }
      FIELDS.setReference(object, 0, elements);
      end(in);
      return object;
    }
  }

  static void setInt(ObjectReader in, FieldAccess field, Object object, int value) {
    byte[] bytes = in.scratch();
    PrimitiveBlock.putInt(bytes, 0, value);
    field.setPrimitives(object, bytes, 0);
  }

  static Object[] newElements(ObjectReader in, int length) throws IOException {
    return new Object[in.claims().areBelievable(length) ? length : Claims.FEW];
  }

  /**
   * Fills the array, or one that is larger if it was made too small, as long as nothing is missing.
   */
  static Object[] fill(ObjectReader in, Object[] into, int size) throws IOException {
    if (size == 0) {
      return into;
    }
    in.beginElements();
    Object[] elements = into;
    int handle = in.currentHandle();
    int next = 0;
    long open = in.claims().open;
    while (next < size) {
      in.claims().open = open + size - next - 1;
      if (next == elements.length) {
        elements = Arrays.copyOf(elements, (int) Math.min(size, 2L * next));
      }
      int first = next;
      next = in.readRun(elements, first, Math.min(size, elements.length), handle);
      if (next == first) {
        elements[next++] = in.readElement(handle, size - next);
      }
      if (in.isMarked()) {
        break;
      }
    }
    return elements;
  }
}
