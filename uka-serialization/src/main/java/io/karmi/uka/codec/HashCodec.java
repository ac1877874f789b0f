package io.karmi.uka.codec;

import io.karmi.uka.engine.LocalFields;
import io.karmi.uka.engine.read.Claims;
import io.karmi.uka.engine.read.LeafReader;
import io.karmi.uka.engine.read.ReadContext;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.cost.KeyCollisions;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.format.FormatReader;
import io.karmi.uka.format.uka.PlatformDescriptions;
import io.karmi.uka.handle.ReadHandleTable;
import io.karmi.uka.platform.PrimitiveBlock;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Codec of hash tables: capacity, load factor, and the elements in the order of the table. */
final class HashCodec extends PlatformCodec {
  /** Load factor of a table in the short form. */
  private static final float DEFAULT_LOAD_FACTOR = 0.75f;

  /** Entries of a map from which on strings are read together. */
  private static final int FEW = 8;

  /** Entries that the smallest table has room for. */
  private static final int MINIMUM_CAPACITY = 16;

  @Override
  Object marshaler(LocalClass type, PlatformDescriptions table) {
    return switch (type.name) {
      case "java.util.HashMap" -> new HashMarshaler.OfMap(type, table);
      case "java.util.LinkedHashMap" -> new HashMarshaler.OfLinkedMap(type, table);
      case "java.util.HashSet", "java.util.LinkedHashSet" -> new HashMarshaler.OfSet(type, table);
      default -> throw unknown(type.name);
    };
  }

  @Override
  Object reader(ReadType type, LocalClass local, @Nullable ShortForm form) {
    return switch (local.name) {
      case "java.util.HashMap" -> new HashReader.OfMap(type, form);
      case "java.util.LinkedHashMap" -> new HashReader.OfLinkedMap(type, form);
      case "java.util.HashSet", "java.util.LinkedHashSet" -> new HashReader.OfSet(type, form);
      default -> throw unknown(local.name);
    };
  }

  @Override
  void expand(String name, int head, ShortForms into) throws IOException {
    int size = head >>> 1;
    int capacity = Math.max(MINIMUM_CAPACITY, size);
    if (name.endsWith("Set")) {
      into.writeBlock(capacity, Float.floatToIntBits(DEFAULT_LOAD_FACTOR), size);
    } else {
      into.text.writeFloat(DEFAULT_LOAD_FACTOR);
      into.text.writeInt(0);
      into.writeBlock(capacity, size);
    }
  }

  /**
   * Writer of hash tables. The capacity is no field: mostly it follows from load factor and
   * threshold. Readers choose their own, so it matters only where bytes are compared with the
   * JDK's.
   */
  abstract static class HashMarshaler extends PlatformMarshaler {
    private static final int DEFAULT_CAPACITY = 16;
    private static final int UNKNOWN = -1;

    private static final LocalFields MAP_FIELDS = LocalFields.of(LocalClass.of(HashMap.class));

    private HashMarshaler(LocalClass type, PlatformDescriptions table) {
      super(type, table);
    }

    /** The private fields of a hash table, and its size. */
    private record Table(float loadFactor, int threshold, int size) {
      static Table of(ObjectWriter out, HashMap<?, ?> map) throws IOException {
        FieldAccess fields = MAP_FIELDS.access(ByteOrder.LITTLE_ENDIAN);
        /* In the unused part of the buffer. */
        out.buffer.reserve(fields.primitiveBytes());
        byte[] bytes = out.buffer.bytes;
        int position = out.buffer.position;
        fields.getPrimitives(map, bytes, position);
        return new Table(
            Float.intBitsToFloat(PrimitiveBlock.getInt(bytes, position)),
            PrimitiveBlock.getInt(bytes, position + Float.BYTES),
            map.size());
      }

      /**
       * The true capacity; in the UKA format any other if that is not known, else {@link #UNKNOWN}.
       */
      int capacityFor(ObjectWriter out) {
        int capacity = threshold / 3 * 4;
        boolean told =
            size > 0
                && loadFactor == DEFAULT_LOAD_FACTOR
                && threshold % 3 == 0
                && Integer.bitCount(capacity) == 1;
        if (told) {
          return capacity;
        }
        return out.isLittleEndian() ? DEFAULT_CAPACITY : UNKNOWN;
      }
    }

    /**
     * Writes what precedes the elements of a map, or of the set that has it.
     *
     * @return false, and nothing has been written, if the capacity is not known
     */
    final boolean writeHead(ObjectWriter out, HashMap<?, ?> map, boolean isSet) throws IOException {
      Table table = Table.of(out, map);
      int capacity = table.capacityFor(out);
      if (capacity == UNKNOWN) {
        return false;
      }
      if (isShort(out) && table.loadFactor == DEFAULT_LOAD_FACTOR) {
        writeSize(out, table.size);
        return true;
      }
      beginGeneral(out);
      int loadFactor = Float.floatToIntBits(table.loadFactor);
      if (isSet) {
        out.format().openBlock(3 * Integer.BYTES);
        writeBlockInt(out, capacity);
        writeBlockInt(out, loadFactor);
      } else {
        writeFieldInt(out, loadFactor);
        writeFieldInt(out, table.threshold);
        out.format().openBlock(2 * Integer.BYTES);
        writeBlockInt(out, capacity);
      }
      writeBlockInt(out, table.size);
      return true;
    }

    /** Writes what {@link HashMap} contributes to its subclasses: fields and entries. */
    final boolean writeMap(ObjectWriter out, HashMap<?, ?> map) throws IOException {
      if (!writeHead(out, map, false)) {
        return false;
      }
      out.expect(2 * Math.min(map.size(), Short.MAX_VALUE));
      out.entries().write(map);
      end(out);
      return true;
    }

    static final class OfMap extends HashMarshaler {
      OfMap(LocalClass type, PlatformDescriptions table) {
        super(type, table);
      }

      @Override
      public boolean writeContent(ObjectWriter out, Object object) throws IOException {
        return writeMap(out, (HashMap<?, ?>) object);
      }
    }

    /** Writes one more field behind the entries. */
    static final class OfLinkedMap extends HashMarshaler {
      private final LocalFields fields;

      OfLinkedMap(LocalClass type, PlatformDescriptions table) {
        super(type, table);
        fields = LocalFields.of(type);
      }

      @Override
      public boolean writeContent(ObjectWriter out, Object object) throws IOException {
        if (!writeMap(out, (HashMap<?, ?>) object)) {
          return false;
        }
        fields.access(out.format().order()).write(out, object);
        return true;
      }
    }

    /** Writes sets, whose load factor and capacity are those of a private map. */
    static final class OfSet extends HashMarshaler {
      private static final @Nullable FieldAccess MAP = LocalFields.reach(HashSet.class, "map");

      OfSet(LocalClass type, PlatformDescriptions table) {
        super(type, table);
      }

      @Override
      public boolean writeContent(ObjectWriter out, Object object) throws IOException {
        if (MAP == null) {
          return false;
        }
        HashSet<?> set = (HashSet<?>) object;
        HashMap<?, ?> map = (HashMap<?, ?>) MAP.getReference(set, 0);
        /* Without a map the class's own method throws; Unsafe would end the VM. */
        if (map == null || !writeHead(out, map, true)) {
          return false;
        }
        Elements.writeElements(out, set);
        end(out);
        return true;
      }
    }
  }

  /**
   * Reader of hash tables. The order of elements depends on the capacity, which is therefore the
   * one that this JDK would choose.
   */
  abstract static class HashReader extends PlatformReader {
    private static final int MAXIMUM_CAPACITY = 1 << 30;
    private static final LocalFields MAP_FIELDS = LocalFields.of(LocalClass.of(HashMap.class));

    /** Whether the JDK makes maps no larger than needed, as it does since 19. */
    private static final boolean EXACT = Runtime.version().feature() >= 19;

    private HashReader(ReadType type, @Nullable ShortForm form) {
      super(type, form);
    }

    private static float checkLoadFactor(float loadFactor) throws InvalidObjectException {
      if (loadFactor <= 0 || Float.isNaN(loadFactor)) {
        throw new InvalidObjectException("Illegal load factor: " + loadFactor);
      }
      return Math.min(Math.max(0.25f, loadFactor), 4.0f);
    }

    private static int mapCapacity(int mappings, float loadFactor) {
      double wanted =
          EXACT ? Math.ceil(mappings / (double) loadFactor) : mappings / loadFactor + 1f;
      return wanted < MINIMUM_CAPACITY
          ? MINIMUM_CAPACITY
          : wanted >= MAXIMUM_CAPACITY ? MAXIMUM_CAPACITY : tableSizeFor((int) wanted);
    }

    /** The smallest power of two that is no smaller. */
    private static int tableSizeFor(int capacity) {
      int size = capacity <= 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1;
      return size < 0 ? MAXIMUM_CAPACITY : Math.min(size, MAXIMUM_CAPACITY);
    }

    /** Reads what {@link HashMap} contributes to its subclasses: fields and entries. */
    final HashMap<Object, Object> readMap(ReadContext in, boolean unshared) throws IOException {
      int head = readHead(in);
      float loadFactor = DEFAULT_LOAD_FACTOR;
      int size = head >>> 1;
      if (head == ShortForms.GENERAL) {
        loadFactor = checkLoadFactor(Float.intBitsToFloat(readFieldInt(in)));
        readFieldInt(in);
        size = readMapSize(in);
      }
      if (size < 0) {
        throw new InvalidObjectException("Illegal mappings count: " + size);
      }
      HashMap<Object, Object> map;
      if (size > 0) {
        int capacity = mapCapacity(size, loadFactor);
        in.checkPart(Map.Entry[].class, capacity);
        map = in.claims().grants(2L * size) ? newMap(capacity, loadFactor) : newMap();
      } else {
        map = newMap();
        if (loadFactor != DEFAULT_LOAD_FACTOR) {
          setLoadFactor(map, loadFactor);
        }
      }
      in.begin(map, type, unshared);
      readEntries(in, map, size);
      end(in);
      return map;
    }

    /** Behind the sender's capacity. */
    private static int readMapSize(ReadContext in) throws IOException {
      if (in.format().takeBlock(2 * Integer.BYTES)) {
        takeInt(in);
        return takeInt(in);
      }
      beginBlock(in);
      in.blocks().readInt();
      return in.blocks().readInt();
    }

    /** A constructor with a load factor would choose a capacity, too. */
    private static void setLoadFactor(HashMap<Object, Object> map, float loadFactor)
        throws InvalidClassException {
      byte[] fields = new byte[Float.BYTES + Integer.BYTES];
      PrimitiveBlock.putInt(fields, 0, Float.floatToIntBits(loadFactor));
      MAP_FIELDS.access(ByteOrder.LITTLE_ENDIAN).setPrimitives(map, fields, 0);
    }

    private static void readEntries(ReadContext in, HashMap<Object, Object> map, int size)
        throws IOException {
      if (size == 0) {
        return;
      }
      in.beginElements();
      int handle = in.currentHandle();
      int type = FormatReader.NOTHING_TAKEN;
      LeafReader boxes = null;
      boolean together = size >= FEW;
      long open = in.claims().open;
      KeyCollisions keys = null; // as long as all keys are strings
      for (int i = 0; i < size; i++) {
        Object key = null;
        if (together) {
          int taken =
              boxes == null
                  ? in.takeTexts(2 * Math.min(size - i, Short.MAX_VALUE))
                  : 2 * in.takeTextsAndBoxes(size - i, type);
          key = putLast(in.handles(), map, taken);
          i += taken / 2;
          if (i == size) {
            return;
          }
        }
        in.claims().open = open + 2L * (size - i - 1);
        if (key == null) {
          key = in.takeText();
        }
        if (key == null) {
          key = in.readOtherElement(handle, size - i);
          if (in.isMarked()) {
            return;
          }
          in.hashCost().add(key);
          together = together && key instanceof String;
          if (keys == null) {
            keys = in.hashCost().collisions(size, map.keySet());
          }
        }
        if (keys != null) {
          keys.add(key);
        }
        Object value;
        if (boxes != null && in.takeIfNext(type)) {
          value = boxes.readShared(in);
          in.setCurrentHandle(handle);
        } else {
          /* Values are mostly of one type. */
          type = in.format().peekObject();
          boxes = LeafReader.of(in, type);
          value = in.readElement(handle, size - i - 1);
          if (in.isMarked()) {
            return;
          }
        }
        map.put(key, value);
        if (boxes != null && !(key instanceof String) && i + 1 < size && in.comesRun()) {
          i += readRun(in, map, size - i - 1, handle, keys);
          if (in.isMarked()) {
            return;
          }
        }
      }
    }

    /** Puts the last objects, keys and values in turn; returns a key without a value, or null. */
    private static @Nullable Object putLast(
        ReadHandleTable handles, HashMap<Object, Object> map, int count) {
      @Nullable Object[] objects = handles.room(0);
      int end = handles.size();
      int next = end - count;
      for (; next < end - 1; next += 2) {
        map.put(objects[next], objects[next + 1]);
      }
      return next < end ? objects[next] : null;
    }

    /** Adds the entries of a packed run; returns how many. */
    private static int readRun(
        ReadContext in,
        HashMap<Object, Object> map,
        int most,
        int handle,
        @Nullable KeyCollisions keys)
        throws IOException {
      Object[] pairs = in.takeRoom();
      int length = in.readPacked(pairs, 0, (int) Math.min(2L * most, pairs.length), handle);
      if (keys != null) {
        keys.addAll(pairs, length, 2);
      }
      for (int i = 0; i + 1 < length; i += 2) {
        map.put(pairs[i], pairs[i + 1]);
      }
      if ((length & 1) != 0) {
        /* Unusual: the value of the last key is behind the run. */
        map.put(pairs[length - 1], in.readElement(handle, 0));
      }
      in.giveRoom(pairs, length);
      return (length + 1) / 2;
    }

    HashMap<Object, Object> newMap() {
      return new HashMap<>();
    }

    HashMap<Object, Object> newMap(int capacity, float loadFactor) {
      return new HashMap<>(capacity, loadFactor);
    }

    static final class OfMap extends HashReader {
      OfMap(ReadType type, @Nullable ShortForm form) {
        super(type, form);
      }

      @Override
      public Object read(ReadContext in, boolean unshared) throws IOException {
        return readMap(in, unshared);
      }
    }

    static final class OfLinkedMap extends HashReader {
      private final LocalFields fields;

      OfLinkedMap(ReadType type, @Nullable ShortForm form) {
        super(type, form);
        fields = LocalFields.of(LocalClass.of(LinkedHashMap.class));
      }

      @Override
      public Object read(ReadContext in, boolean unshared) throws IOException {
        HashMap<Object, Object> map = readMap(in, unshared);
        boolean accessOrder = in.buffer().readBoolean();
        if (accessOrder && !in.isMarked()) {
          fields.access(in.format().order()).setPrimitives(map, new byte[] {1}, 0);
        }
        return map;
      }

      @Override
      public HashMap<Object, Object> newMap() {
        return new LinkedHashMap<>();
      }

      @Override
      public HashMap<Object, Object> newMap(int capacity, float loadFactor) {
        return new LinkedHashMap<>(capacity, loadFactor);
      }
    }

    static final class OfSet extends HashReader {
      private final boolean linked;

      OfSet(ReadType type, @Nullable ShortForm form) {
        super(type, form);
        linked = type.type() == LinkedHashSet.class;
      }

      /** Reads the load factor, between capacity and size in one block. */
      private static float readLoadFactor(ReadContext in) throws IOException {
        beginBlock(in);
        int written = in.blocks().readInt();
        if (written < 0) {
          throw new InvalidObjectException("Illegal capacity: " + written);
        }
        return checkLoadFactor(Float.intBitsToFloat(in.blocks().readInt()));
      }

      @Override
      public Object read(ReadContext in, boolean unshared) throws IOException {
        int head = readHead(in);
        float loadFactor = DEFAULT_LOAD_FACTOR;
        int size = head >>> 1;
        if (head == ShortForms.GENERAL) {
          loadFactor = readLoadFactor(in);
          size = in.blocks().readInt();
        }
        if (size < 0) {
          throw new InvalidObjectException("Illegal size: " + size);
        }
        int capacity = (int) Math.min(size * Math.min(1 / loadFactor, 4.0f), MAXIMUM_CAPACITY);
        in.checkPart(Map.Entry[].class, tableSizeFor(capacity));
        int room = in.claims().grants(size) ? capacity : Claims.FEW;
        HashSet<Object> set =
            linked ? new LinkedHashSet<>(room, loadFactor) : new HashSet<>(room, loadFactor);
        in.begin(set, type, unshared);
        Elements.readElements(in, set, size, true);
        end(in);
        return set;
      }
    }
  }
}
