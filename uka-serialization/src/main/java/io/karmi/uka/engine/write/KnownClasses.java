package io.karmi.uka.engine.write;

import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.engine.CompactNumbers;
import io.karmi.uka.field.ContentHash;
import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.format.FormatWriter;
import io.karmi.uka.handle.HandleTable;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Table of the classes whose objects one stream has written, with marshaler and type number: one
 * look-up in place of three.
 *
 * <p>It also has the content hashes of the objects. A class many of whose objects are equal is
 * found by identity for a while, and so is the rest of the message in which that is noticed.
 *
 * <p>Open addressing over the identity hash of the class, at most half full. Not thread-safe.
 */
public final class KnownClasses implements HandleTable.Contents {
  private static final int INITIAL_SLOTS = 8;

  /** One slot, which is always free. */
  private static final Known[] NO_CLASSES = {null};

  /** Objects of a class in one message that may be found late, by their content. */
  private static final int MAXIMUM_CROWDED = 16;

  /** Messages in which such a class has no content. */
  private static final int MESSAGES_BY_IDENTITY = 64;

  private final ObjectWriter out;

  /** The entry that was made first; it is not in the table, which small messages do not need. */
  private @Nullable Known first;

  private Known[] slots = NO_CLASSES;
  private int size;
  private int message;

  /** Classes that have no content for a while; null if there are none. */
  private @Nullable List<Known> suspended;

  /** The message with which they have content again. */
  private int endOfSuspension;

  /** Table of one stream. */
  KnownClasses(ObjectWriter out) {
    this.out = out;
  }

  /** A local class, how its objects are written, and the number of its type. */
  public static final class Known {
    public static final int NO_NUMBER = -1;

    private static final int[] NO_CONSTANTS = {};

    public final Class<?> type;
    public final Marshaler marshaler;
    private final boolean direct;
    private final boolean mayHaveFieldsOnly;
    private final boolean littleEndian;
    private int number = NO_NUMBER;

    /** Token and type number, as in {@link ObjectAccess#write}. */
    private long opening;

    private int openingBytes;

    /**
     * As {@link Marshaler#runWidth}; also negative as long as the token does not hold the type.
     * Where it is 0 the data is a compact number in the only format that has runs.
     */
    private int runWidth = Marshaler.NOT_RUNNABLE;

    /** Access to all fields, if objects are nothing but their fields. */
    private @Nullable ObjectAccess fields;

    /**
     * For an enum: how many constants have numbers, and one more than the number of each, by
     * ordinal; 0 if it has none.
     */
    private int[] constants = NO_CONSTANTS;

    /** As {@link #content()}, once that has been asked for. */
    private @Nullable ContentHash content;

    private boolean contentAsked;

    /** Objects of the message whose content many share. */
    private int crowded;

    private int crowdedMessage;

    /**
     * Entry for a class.
     *
     * @param shown whether the stream observes each object
     */
    Known(Class<?> type, Marshaler marshaler, boolean shown, ByteOrder order) {
      this.type = type;
      this.marshaler = marshaler;
      littleEndian = order == ByteOrder.LITTLE_ENDIAN;
      direct = !shown && marshaler.answers(Marshaler.DIRECT);
      mayHaveFieldsOnly = marshaler.answers(Marshaler.FIELDS_ONLY);
    }

    /**
     * By which its objects are found; null if they have none, or too many share it. The answer
     * stays the same as long as objects are indexed by it.
     */
    @Nullable ContentHash content() {
      if (!contentAsked) {
        setContent(direct ? marshaler.content(order()) : null);
      }
      return content;
    }

    private ByteOrder order() {
      return littleEndian ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    }

    private void setContent(@Nullable ContentHash now) {
      content = now;
      contentAsked = true;
    }

    /** Counts an object of a message whose content many share; returns how many there are. */
    int countCrowded(int message) {
      crowded = crowdedMessage == message ? crowded + 1 : 1;
      crowdedMessage = message;
      return crowded;
    }

    /** Whether the marshaler can write an object with no more than the type's number. */
    public boolean isDirect() {
      return direct && number != NO_NUMBER;
    }

    /** Whether {@link #isDirect} as soon as the type has a number, which it has not. */
    boolean isFirst() {
      return direct && number == NO_NUMBER;
    }

    public boolean hasNumber() {
      return number != NO_NUMBER;
    }

    /** For classes whose objects begin with no type, such as strings. */
    public void setUntyped() {
      number = 0;
    }

    /** The number of an enum constant; ~ the number if it is new to the reader. */
    public int constantNumber(int ordinal) {
      int at = ordinal + 1;
      if (at >= constants.length) {
        constants = Arrays.copyOf(constants, Math.max(at + 1, 2 * constants.length));
      }
      if (constants[at] == 0) {
        constants[at] = ++constants[0];
        return ~(constants[at] - 1);
      }
      return constants[at] - 1;
    }

    /**
     * Sets the number by which the reader knows the type.
     *
     * @param narrow whether the next two numbers are those of the type with narrow numbers
     */
    public void setNumber(int number, boolean narrow, FormatWriter format) throws IOException {
      this.number = number;
      if (direct) {
        long bytes = format.opening(marshaler.token(), number);
        openingBytes = FormatWriter.lengthOfOpening(bytes);
        opening = FormatWriter.bytesOfOpening(bytes);
        if (narrow) {
          opening |= ObjectAccess.NARROWABLE;
        }
        runWidth = openingBytes == 1 ? marshaler.runWidth() : Marshaler.NOT_RUNNABLE;
        fields = marshaler.fields(order());
      }
    }

    /** Opens the access to the fields, if objects are nothing else. */
    void openFields(ObjectWriter out) throws IOException {
      if (mayHaveFieldsOnly) {
        marshaler.openFields(out);
      }
    }

    /** Writes an object that is new to the message and has its handle. */
    public void write(ObjectWriter out, Object object) throws IOException {
      if (fields != null) {
        fields.write(out, object, opening, openingBytes);
      } else if (runWidth == 0) {
        /* The most frequent objects of all, without a virtual call. */
        writeOpening(out.buffer);
        CompactNumbers.writeLong(out.buffer, ((Number) object).longValue());
      } else if (mayHaveFieldsOnly) {
        writeFirst(out, object);
      } else {
        marshaler.writeKnown(out, object, this);
      }
    }

    private void writeFirst(ObjectWriter out, Object object) throws IOException {
      ObjectAccess access = marshaler.openFields(out);
      if (access == null) {
        marshaler.writeKnown(out, object, this);
        return;
      }
      if (!access.isProvisional()) {
        fields = access;
        out.classes().settle(this);
      }
      access.write(out, object, opening, openingBytes);
    }

    /** Whether objects may be in packed runs. */
    public boolean isRunnable() {
      return runWidth >= 0;
    }

    /** Whether objects are an {@code Integer} or a {@code Long} behind one byte. */
    boolean isNumber() {
      return runWidth == 0;
    }

    /** The first byte of an object, for a class that {@link #isRunnable}. */
    byte firstByte() {
      return (byte) opening;
    }

    /** Writes the head of a packed run for this class. */
    public void writeSlot(OutputBuffer out) throws IOException {
      writeOpening(out);
      out.writeByte(runWidth);
    }

    /** Writes the data of an object of a packed run. */
    public void writeData(ObjectWriter out, Object object) throws IOException {
      if (runWidth == 0) {
        CompactNumbers.writeLong(out.buffer, ((Number) object).longValue());
      } else {
        marshaler.marshal(out, object);
      }
    }

    /** Writes the data of objects of a packed run. */
    public void writeAllData(ObjectWriter out, @Nullable Object[] objects, int from, int to)
        throws IOException {
      marshaler.writeAllData(out, objects, from, to);
    }

    /**
     * Writes elements of an array, as long as they are of this class and no hook observes them.
     *
     * @return the index of the first element that has not been written
     */
    public int writeRun(ObjectWriter out, Object[] elements, int from) throws IOException {
      ObjectAccess access = fields;
      return access != null
              && from < elements.length
              && elements[from] != null
              && elements[from].getClass() == type
          ? access.writeRun(out, elements, from, type, opening, openingBytes)
          : from;
    }

    /** Writes token and type number. */
    public void writeOpening(OutputBuffer out) throws IOException {
      out.writeLow(opening, openingBytes);
    }
  }

  /** The entry for a class; null if there is none yet. */
  @Nullable Known peek(Class<?> type) {
    Known sole = first;
    if (sole != null && sole.type == type) {
      return sole;
    }
    Known[] table = slots;
    int mask = table.length - 1;
    int slot = System.identityHashCode(type) & mask;
    for (Known known = table[slot]; known != null; known = table[slot]) {
      if (known.type == type) {
        return known;
      }
      slot = (slot + 1) & mask;
    }
    return null;
  }

  /** The entry for a class. */
  public Known known(Class<?> type) throws IOException {
    return known(type, System.identityHashCode(type));
  }

  /** The entry for a class whose identity hash is {@code hash}. */
  public Known known(Class<?> type, int hash) throws IOException {
    Known known = of(type, hash);
    if (!known.hasNumber()) {
      findNumber(known);
    }
    return known;
  }

  /** Indexes a stream's first object by its content: its class had no entry until now. */
  private void indexAnew(Known known) {
    HandleTable handles = out.handles();
    if (!known.contentAsked && handles.usesContents() && known.content() != null) {
      handles.renewIndex();
    }
  }

  private void findNumber(Known known) throws IOException {
    if (!known.marshaler.answers(Marshaler.TYPED)) {
      known.setUntyped();
    } else {
      TypeWriter types = out.types();
      int number = types.find(known.marshaler.type);
      if (number >= 0) {
        known.setNumber(number, types.isNarrow(number), out.format);
        settle(known);
        indexAnew(known);
      }
    }
  }

  private Known of(Class<?> type, int hash) {
    Known sole = first;
    if (sole != null && sole.type == type) {
      return sole;
    }
    Known[] table = slots;
    int mask = table.length - 1;
    int slot = hash & mask;
    for (Known known = table[slot]; known != null; known = table[slot]) {
      if (known.type == type) {
        return known;
      }
      slot = (slot + 1) & mask;
    }
    return add(type);
  }

  private Known add(Class<?> type) {
    Known known = new Known(type, out.strategies.marshaler(type), out.mayReplace(type), out.order);
    if (first == null) {
      first = known;
      return known;
    }
    if (2 * ++size > slots.length) {
      Known[] old = slots;
      slots = new Known[Math.max(INITIAL_SLOTS, 2 * old.length)];
      for (Known each : old) {
        if (each != null) {
          insert(each);
        }
      }
    }
    insert(known);
    return known;
  }

  private void insert(Known known) {
    int slot = System.identityHashCode(known.type) & (slots.length - 1);
    while (slots[slot] != null) {
      slot = (slot + 1) & (slots.length - 1);
    }
    slots[slot] = known;
  }

  @Override
  public int hash(Object object) {
    Known known = peek(object.getClass());
    ContentHash content = known == null ? null : known.content();
    return content == null ? System.identityHashCode(object) : content.contentHash(object);
  }

  @Override
  public void crowded(Object object) {
    Known known = peek(object.getClass());
    if (known != null
        && known.content() != null
        && known.countCrowded(message) == MAXIMUM_CROWDED) {
      known.setContent(null);
      if (suspended == null) {
        suspended = new ArrayList<>();
      }
      suspended.add(known);
      endOfSuspension = message + MESSAGES_BY_IDENTITY;
      out.handles().toIdentity();
    }
  }

  /** Whether some classes that have content are found by identity. */
  boolean isSuspended() {
    return suspended != null;
  }

  /**
   * Gives a class content that has got its final access to fields within the message. Generated
   * code of that access finds objects by their content.
   */
  void settle(Known known) {
    if (known.contentAsked && known.content == null && suspended == null) {
      known.contentAsked = false;
      HandleTable handles = out.handles();
      if (handles.usesContents() && known.content() != null) {
        handles.renewIndex();
      }
    }
  }

  void endMessage() {
    message++;
    List<Known> all = suspended;
    if (all != null && message - endOfSuspension >= 0) {
      suspended = null;
      for (Known known : all) {
        known.contentAsked = false;
      }
    }
  }

  public void clear() {
    first = null;
    if (size > 0) {
      Arrays.fill(slots, null);
      size = 0;
    }
  }
}
