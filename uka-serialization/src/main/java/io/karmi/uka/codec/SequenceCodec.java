package io.karmi.uka.codec;

import io.karmi.uka.engine.LocalFields;
import io.karmi.uka.engine.read.Claims;
import io.karmi.uka.engine.read.ReadContext;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.engine.write.KnownClasses.Known;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.engine.write.RunWriter;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.format.uka.PlatformDescriptions;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Codec of lists and queues: their size and their elements. */
final class SequenceCodec extends PlatformCodec {
  @Override
  Object marshaler(LocalClass type, PlatformDescriptions table) {
    return switch (type.name) {
      case "java.util.ArrayList" -> new SequenceMarshaler.OfArrayList(type, table);
      case "java.util.LinkedList", "java.util.ArrayDeque" -> new SequenceMarshaler(type, table);
      default -> throw unknown(type.name);
    };
  }

  @Override
  @Nullable Object reader(ReadType type, LocalClass local, @Nullable ShortForm form) {
    return switch (local.name) {
      case "java.util.ArrayList" -> new SequenceReader.OfArrayList(type, form);
      case "java.util.LinkedList" -> new SequenceReader.OfLinkedList(type, form);
      case "java.util.ArrayDeque" -> SequenceReader.OfArrayDeque.of(type, form);
      default -> throw unknown(local.name);
    };
  }

  @Override
  void expand(String name, int head, ShortForms into) throws IOException {
    int size = head >>> 1;
    if (name.equals("java.util.ArrayList")) {
      into.text.writeInt(size);
    }
    into.writeBlock(size);
  }

  static class SequenceMarshaler extends PlatformMarshaler {
    SequenceMarshaler(LocalClass type, PlatformDescriptions table) {
      super(type, table);
    }

    @Override
    public boolean writeContent(ObjectWriter out, Object object) throws IOException {
      @Nullable Object[] elements = elementsOf((Collection<?>) object);
      if (elements == null) {
        return false;
      }
      writeSize(out, elements.length);
      out.expect(elements.length);
      Elements.writeElements(out, Arrays.asList(elements));
      end(out);
      return true;
    }

    /**
     * The elements as they are now. The class's own method does not mind, either, if an element or
     * another thread changes the sequence while it is written.
     *
     * @return null if another thread changes a list just now
     */
    private static @Nullable Object @Nullable [] elementsOf(Collection<?> sequence) {
      Iterator<?> witness = sequence.iterator();
      try {
        @Nullable Object[] elements = sequence.toArray();
        if (elements.length > 0) {
          witness.next();
        }
        return elements;
      } catch (ConcurrentModificationException
          | IndexOutOfBoundsException
          | NoSuchElementException e) {
        return null;
      }
    }

    /** Writes the size as a field, too; notices at the end that the list has changed. */
    static final class OfArrayList extends SequenceMarshaler {
      OfArrayList(LocalClass type, PlatformDescriptions table) {
        super(type, table);
      }

      @Override
      public boolean writeContent(ObjectWriter out, Object object) throws IOException {
        ArrayList<?> list = (ArrayList<?>) object;
        Iterator<?> witness = list.iterator();
        int size = list.size();
        if (isShort(out)) {
          out.buffer.writeVarInt(size << 1);
        } else {
          writeFieldInt(out, size);
          writeSizeBlock(out, size);
        }
        out.expect(size);
        @Nullable Known last = null;
        for (int i = writeTexts(out, list); i < list.size(); i++) {
          last = out.writeElement(list.get(i), last);
          if (last != null && last.isRunnable() && list.size() - i > RunWriter.FEW) {
            writeRest(out, list, i + 1, last);
            break;
          }
        }
        if (size > 0) {
          witness.next();
        }
        end(out);
        return true;
      }

      /** Writes the elements before the first one that is no string; returns how many. */
      private static int writeTexts(ObjectWriter out, ArrayList<?> list) throws IOException {
        FieldAccess fields = SequenceReader.OfArrayList.FIELDS;
        @Nullable Object[] elements =
            fields == null ? null : (@Nullable Object[]) fields.getReference(list, 0);
        if (elements == null) {
          return 0;
        }
        int most = Math.min(list.size(), elements.length);
        int next = 0;
        while (next < most && elements[next] instanceof String text) {
          out.writeString(text);
          next++;
        }
        return next;
      }

      private static void writeRest(ObjectWriter out, ArrayList<?> list, int from, Known first)
          throws IOException {
        RunWriter runs = out.runs();
        @Nullable Known last = first;
        int next = from;
        while (next < list.size()) {
          int start = next;
          next = runs.writeNew(list, start, last);
          if (next == start) {
            next = runs.keepAll(list, start, last);
          }
          if (next < list.size()) {
            last = runs.write(list.get(next++), last);
          }
        }
        runs.flush();
      }
    }
  }

  abstract static class SequenceReader extends PlatformReader {
    private SequenceReader(ReadType type, @Nullable ShortForm form) {
      super(type, form);
    }

    static final class OfLinkedList extends SequenceReader {
      OfLinkedList(ReadType type, @Nullable ShortForm form) {
        super(type, form);
      }

      @Override
      public Object read(ReadContext in, boolean unshared) throws IOException {
        int size = readSize(in);
        LinkedList<Object> list = new LinkedList<>();
        in.begin(list, type, unshared);
        Elements.readElements(in, list, size, false);
        end(in);
        return list;
      }
    }

    /**
     * Reader of lists. In the JDK a list has its size, and no array, while its elements are read;
     * so it has here where its fields can be reached. Elsewhere it is full of nulls.
     */
    static final class OfArrayList extends SequenceReader {
      private static final @Nullable FieldAccess FIELDS =
          LocalFields.reach(ArrayList.class, "size", "elementData");

      OfArrayList(ReadType type, @Nullable ShortForm form) {
        super(type, form);
      }

      @Override
      public Object read(ReadContext in, boolean unshared) throws IOException {
        int head = readHead(in);
        int size = head == ShortForms.GENERAL ? readFieldInt(in) : head >>> 1;
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
          in.checkPart(Object[].class, size);
          list =
              FIELDS == null
                  ? readPublicly(in, size, unshared)
                  : readInto(FIELDS, in, size, unshared);
        }
        end(in);
        return list;
      }

      private ArrayList<Object> readPublicly(ReadContext in, int size, boolean unshared)
          throws IOException {
        int room = in.claims().grants(size) ? size : Claims.FEW;
        Object[] elements = new Object[room];
        ArrayList<Object> list = new ArrayList<>(new Nulls(elements));
        in.begin(list, type, unshared);
        elements = Elements.fill(in, elements, size);
        for (int i = 0; i < room; i++) {
          list.set(i, elements[i]);
        }
        for (int i = room; i < elements.length; i++) {
          list.add(elements[i]);
        }
        return list;
      }

      private Object readInto(FieldAccess fields, ReadContext in, int size, boolean unshared)
          throws IOException {
        ArrayList<Object> list = new ArrayList<>(0);
        Elements.setInt(in, fields, list, size);
        fields.setReference(list, 0, null);
        in.begin(list, type, unshared);
        fields.setReference(list, 0, Elements.fill(in, Elements.newElements(in, size), size));
        return list;
      }
    }

    /** Initial content of a list, which copies it. */
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

    /** Reader of queues, which reads the elements into the queue's private array. */
    static final class OfArrayDeque extends SequenceReader {
      @SuppressWarnings("NullAway") // no reader is made if it is null
      private static final FieldAccess FIELDS =
          LocalFields.reach(ArrayDeque.class, "tail", "elements");

      private OfArrayDeque(ReadType type, @Nullable ShortForm form) {
        super(type, form);
      }

      static @Nullable Unmarshaler of(ReadType type, @Nullable ShortForm form) {
        return FIELDS == null ? null : new OfArrayDeque(type, form);
      }

      @Override
      public Object read(ReadContext in, boolean unshared) throws IOException {
        int size = readSize(in);
        if (size < 0 || size == Integer.MAX_VALUE) {
          throw new InvalidObjectException("Invalid size: " + size);
        }
        in.checkPart(Object[].class, size + 1);
        ArrayDeque<Object> queue = new ArrayDeque<>(0);
        Object[] elements = Elements.newElements(in, size + 1);
        FIELDS.setReference(queue, 0, elements);
        Elements.setInt(in, FIELDS, queue, size);
        in.begin(queue, type, unshared);
        Elements.fill(in, elements, size);
        end(in);
        return queue;
      }
    }
  }
}
