package io.karmi.uka.codec;

import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.engine.write.ObjectMarshaler;
import io.karmi.uka.format.uka.PlatformDescriptions;
import io.karmi.uka.type.ArrayVersions;
import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.FieldDescription;
import io.karmi.uka.type.LocalClass;
import java.io.InvalidClassException;
import java.io.ObjectStreamConstants;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Table of the platform's classes with a wire number or a codec: one row each.
 *
 * <p>A row has the class's description and, by its place, its wire number; its codec; and whether
 * its data has a short form. A class without a codec, or without a row, is written and read as any
 * other.
 *
 * <p><b>Descriptions are part of the wire format.</b> They never change, and new ones are appended:
 * a reader that does not know a number refuses the stream. A class whose objects are replaced by
 * those of another has a row without a number.
 */
public final class PlatformCodecs {
  private static final int PLAIN = ObjectStreamConstants.SC_SERIALIZABLE;
  private static final int CUSTOM = PLAIN | ObjectStreamConstants.SC_WRITE_METHOD;
  private static final int ENUM = PLAIN | ObjectStreamConstants.SC_ENUM;
  private static final int EXTERNAL =
      ObjectStreamConstants.SC_EXTERNALIZABLE | ObjectStreamConstants.SC_BLOCK_DATA;

  private static final PlatformCodec BOXES = new BoxCodec();
  private static final PlatformCodec SEQUENCES = new SequenceCodec();
  private static final PlatformCodec HASH_TABLES = new HashCodec();
  private static final PlatformCodec TREES = new SortedCodec();
  private static final PlatformCodec IMMUTABLES = new ImmutableCodec();
  private static final PlatformCodec CONCURRENT_MAPS = new ConcurrentMapCodec();
  private static final PlatformCodec BIG_NUMBERS = new BigNumberCodec();
  private static final PlatformCodec DATES = new DateCodec();
  private static final PlatformCodec TIMES = new TimeCodec();

  private static final Row[] TABLE = {
    described("java.lang.Number", -8742448824652078965L, PLAIN),
    described("java.lang.Integer", 1360826667806852920L, PLAIN, "I value").shortBy(BOXES),
    described("java.lang.Long", 4290774380558885855L, PLAIN, "J value").shortBy(BOXES),
    described("java.lang.Double", -9172774392245257468L, PLAIN, "D value").by(BOXES),
    described("java.lang.Float", -2671257302660747028L, PLAIN, "F value").by(BOXES),
    described("java.lang.Short", 7515723908773894738L, PLAIN, "S value").by(BOXES),
    described("java.lang.Byte", -7183698231559129828L, PLAIN, "B value").by(BOXES),
    described("java.lang.Character", 3786198910865385080L, PLAIN, "C value").by(BOXES),
    described("java.lang.Boolean", -3665804199014368530L, PLAIN, "Z value").by(BOXES),
    described("java.lang.Enum", 0, ENUM),
    array("[Z"),
    array("[B"),
    array("[C"),
    array("[S"),
    array("[I"),
    array("[J"),
    array("[F"),
    array("[D"),
    array("[Ljava.lang.String;"),
    array("[Ljava.lang.Object;"),
    described("java.util.ArrayList", 8683452581122892189L, CUSTOM, "I size").shortBy(SEQUENCES),
    described("java.util.LinkedList", 876323262645176354L, CUSTOM).shortBy(SEQUENCES),
    described("java.util.ArrayDeque", 2340985798034038923L, CUSTOM).shortBy(SEQUENCES),
    described("java.util.Arrays$ArrayList", -2764017481108945198L, PLAIN, "[Ljava/lang/Object; a"),
    described(ImmutableCodec.COLLECTION, 6309168927139932177L, CUSTOM, "I tag").shortBy(IMMUTABLES),
    described("java.util.HashMap", 362498820763181265L, CUSTOM, "F loadFactor", "I threshold")
        .shortBy(HASH_TABLES),
    described("java.util.LinkedHashMap", 3801124242820219131L, PLAIN, "Z accessOrder")
        .shortBy(HASH_TABLES),
    described("java.util.HashSet", -5024744406713321676L, CUSTOM).shortBy(HASH_TABLES),
    described("java.util.LinkedHashSet", -2851667679971038690L, PLAIN).shortBy(HASH_TABLES),
    described("java.util.TreeMap", 919286545866124006L, CUSTOM, "Ljava/util/Comparator; comparator")
        .shortBy(TREES),
    described("java.util.TreeSet", -2479143000061671589L, CUSTOM).shortBy(TREES),
    described("java.util.Date", 7523967970034938905L, CUSTOM).shortBy(DATES),
    described("java.util.UUID", -4856846361193249489L, PLAIN, "J leastSigBits", "J mostSigBits")
        .by(BOXES),
    described(
            "java.math.BigInteger",
            -8287574255936472291L,
            CUSTOM,
            "I bitCount",
            "I bitLength",
            "I firstNonzeroByteNum",
            "I lowestSetBit",
            "I signum",
            "[B magnitude")
        .shortBy(BIG_NUMBERS),
    described(
            "java.math.BigDecimal",
            6108874887143696463L,
            CUSTOM,
            "I scale",
            "Ljava/math/BigInteger; intVal")
        .shortBy(BIG_NUMBERS),
    described(TimeCodec.TIME, -7683839454370182990L, EXTERNAL).shortBy(TIMES),
    described(
            "java.util.concurrent.ConcurrentHashMap",
            7249069246763182397L,
            CUSTOM,
            "I segmentMask",
            "I segmentShift",
            "[Ljava/util/concurrent/ConcurrentHashMap$Segment; segments")
        .shortBy(CONCURRENT_MAPS),
    replaced("java.util.ImmutableCollections$List12", IMMUTABLES),
    replaced("java.util.ImmutableCollections$ListN", IMMUTABLES),
    replaced("java.util.ImmutableCollections$Set12", IMMUTABLES),
    replaced("java.util.ImmutableCollections$SetN", IMMUTABLES),
    replaced("java.util.ImmutableCollections$Map1", IMMUTABLES),
    replaced("java.util.ImmutableCollections$MapN", IMMUTABLES),
    replaced("java.time.Duration", TIMES),
    replaced("java.time.Instant", TIMES),
    replaced("java.time.LocalDate", TIMES),
    replaced("java.time.LocalTime", TIMES),
    replaced("java.time.LocalDateTime", TIMES),
  };

  private static final Map<String, Row> ROWS = rows();

  /** The descriptions of the table, by number, for the UKA format. */
  public static final PlatformDescriptions DESCRIPTIONS = descriptions();

  private PlatformCodecs() {}

  record Row(
      String name,
      @Nullable ClassDescription description,
      @Nullable PlatformCodec codec,
      boolean hasShortForm) {
    Row by(PlatformCodec codec) {
      return new Row(name, description, codec, false);
    }

    Row shortBy(PlatformCodec codec) {
      return new Row(name, description, codec, true);
    }
  }

  /**
   * Row of a class with a number.
   *
   * @param fields type and name of each, in canonical order
   */
  private static Row described(String name, long uid, int flags, String... fields) {
    FieldDescription[] described = new FieldDescription[fields.length];
    for (int i = 0; i < fields.length; i++) {
      int space = fields[i].indexOf(' ');
      described[i] =
          new FieldDescription(
              fields[i].charAt(0), fields[i].substring(space + 1), fields[i].substring(0, space));
    }
    try {
      return new Row(name, new ClassDescription(name, uid, flags, described), null, false);
    } catch (InvalidClassException e) {
      throw new AssertionError(e);
    }
  }

  private static Row array(String name) {
    return described(name, Objects.requireNonNull(ArrayVersions.of(name)), PLAIN);
  }

  /** Row of a class whose objects are replaced by those of another. */
  private static Row replaced(String name, PlatformCodec codec) {
    return new Row(name, null, codec, false);
  }

  private static Map<String, Row> rows() {
    Map<String, Row> rows = new HashMap<>();
    for (Row row : TABLE) {
      if (rows.put(row.name, row) != null) {
        throw new AssertionError("listed twice: " + row.name);
      }
    }
    return rows;
  }

  private static PlatformDescriptions descriptions() {
    List<PlatformDescriptions.Entry> entries = new ArrayList<>();
    for (Row row : TABLE) {
      if (row.description != null) {
        entries.add(new PlatformDescriptions.Entry(row.description, row.hasShortForm));
      }
    }
    return new PlatformDescriptions(entries);
  }

  /** All rows, in their order. */
  static List<Row> table() {
    return List.of(TABLE);
  }

  static ShortForm shortForm(String name) {
    PlatformCodec codec = find(name);
    if (codec == null) {
      throw new IllegalArgumentException("no codec for " + name);
    }
    return new ShortForm(name, codec, DESCRIPTIONS);
  }

  private static @Nullable PlatformCodec find(String name) {
    Row row = ROWS.get(name);
    return row == null ? null : row.codec;
  }

  /** The marshaler of a class; null if it is written as any other. */
  static @Nullable ObjectMarshaler marshaler(LocalClass type) {
    PlatformCodec codec = find(type.name);
    return codec == null ? null : (ObjectMarshaler) codec.marshaler(type, DESCRIPTIONS);
  }

  /** The reader of a type that equals the local class; null if it is read as any other. */
  static @Nullable Unmarshaler reader(ReadType type, LocalClass local) {
    PlatformCodec codec = find(local.name);
    if (codec == null) {
      return null;
    }
    String form = type.shortForm();
    return (Unmarshaler) codec.reader(type, local, form == null ? null : shortForm(form));
  }
}
