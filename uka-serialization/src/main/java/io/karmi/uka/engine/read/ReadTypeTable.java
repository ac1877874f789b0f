package io.karmi.uka.engine.read;

import io.karmi.uka.field.NumberWidth;
import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.format.FormatReader;
import io.karmi.uka.format.Token;
import io.karmi.uka.handle.ReadHandleTable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The types of a stream by number, and what reads their objects at once.
 *
 * <p>In formats that number types together with objects the table is the one of the objects.
 */
public final class ReadTypeTable implements FormatReader.Types {
  private static final @Nullable Unmarshaler[] NO_UNMARSHALERS = {};
  private static final @Nullable ObjectAccess[] NO_WHOLES = {};
  private static final @Nullable Class<?>[] NO_CLASSES = {};

  private static final int NARROW_WIDTHS = NumberWidth.values().length - 1;

  private final ReadHandleTable handles;

  /** Whether {@link #handles} are the numbers. */
  private final boolean shared;

  /** An entry that cannot be referred to is null. Unused if types are numbered as objects. */
  private final List<@Nullable ReadType> types = new ArrayList<>();

  /** Those in use: one look spares three. */
  private @Nullable Unmarshaler[] unmarshalers = NO_UNMARSHALERS;

  /** How many there were when the current message began. */
  private int typesBefore;

  private @Nullable ObjectAccess[] wholes = NO_WHOLES;

  /** Of those the classes whose objects make themselves. */
  private @Nullable Class<?>[] selfMade = NO_CLASSES;

  /* The numbers of boxes' types; in the JDK's format, where no token holds a number, there are none. */
  private int integers = FormatReader.NOTHING_TAKEN;
  private int longs = FormatReader.NOTHING_TAKEN;
  private int doubles = FormatReader.NOTHING_TAKEN;

  public ReadTypeTable(ReadHandleTable handles, boolean shared) {
    this.handles = handles;
    this.shared = shared;
  }

  /** Numbers a type; its handle, if it has one. */
  public int assign(ReadType type, boolean unshared) {
    if (shared) {
      return handles.assign(unshared ? ReadHandleTable.UNSHARED : type);
    }
    type.setNumber(types.size());
    types.add(unshared ? null : type);
    return ReadHandleTable.NONE;
  }

  /**
   * Numbers the types with narrow numbers of the class whose type has been numbered last. They are
   * made when they are used, which they are not in many streams.
   */
  public void assignNarrow(ReadType type, boolean unshared) {
    for (int i = 0; i < NARROW_WIDTHS; i++) {
      types.add(unshared ? null : type);
    }
  }

  /**
   * The type that has this number.
   *
   * @param number if types are numbered as objects, one that has been given
   */
  public ReadType get(int number) throws IOException {
    if (shared) {
      Object object = handles.get(number);
      if (object instanceof ReadType type) {
        return type;
      }
      if (object == ReadHandleTable.UNSHARED) {
        throw unsharedReference();
      }
      /* What is no type fails here, as with the JDK's streams. */
      return (ReadType) Objects.requireNonNull(object);
    }
    if (number >= types.size()) {
      throw new StreamCorruptedException("invalid type number: " + number + " of " + types.size());
    }
    ReadType type = types.get(number);
    if (type == null) {
      throw unsharedReference();
    }
    return type.number() == number || !type.isBound() ? type : makeNarrow(type, number);
  }

  private ReadType makeNarrow(ReadType original, int number) {
    ReadType type = new ReadType(original, number);
    types.set(number, type);
    return type;
  }

  /** The number of a class that the stream has described by this name, or -1. */
  public int find(String name) {
    for (int i = types.size() - 1; i >= 0; i--) {
      ReadType type = types.get(i);
      if (type != null && type.number() == i && type.isNamed(name)) {
        return i;
      }
    }
    return -1;
  }

  private static IOException unsharedReference() {
    return new InvalidObjectException("cannot read back reference to unshared object");
  }

  /**
   * What reads objects of a type that is known by its number, and that no hook has to see; null as
   * long as none is in use.
   */
  public @Nullable Unmarshaler unmarshaler(int number) {
    if (shared) {
      Object known = number < handles.size() ? handles.get(number) : null;
      return known instanceof ReadType type ? (Unmarshaler) type.planInUse() : null;
    }
    return number < unmarshalers.length ? unmarshalers[number] : null;
  }

  @Override
  public int runWidth(int number) {
    ReadType type = number < types.size() ? types.get(number) : null;
    return type != null && type.planInUse() instanceof LeafReader leaves
        ? leaves.runWidth()
        : NOT_KNOWN;
  }

  /** What makes whole objects of a type; null if nothing does. */
  public @Nullable ObjectAccess whole(int number) {
    return number < wholes.length ? wholes[number] : null;
  }

  /** The class whose objects, of the type with this number, make themselves; or null. */
  public @Nullable Class<?> selfMade(int number) {
    return number < selfMade.length ? selfMade[number] : null;
  }

  /**
   * The number of the type of {@code Integer} objects in short form; negative if none is in use.
   */
  public int integers() {
    return integers;
  }

  /** The number of the type of {@code Long} objects in short form; negative if none is in use. */
  public int longs() {
    return longs;
  }

  /** The number of the type of {@code Double} objects; negative if none is in use. */
  public int doubles() {
    return doubles;
  }

  /** An object of the type with this number has been read: more are read the same way. */
  public void use(int number) {
    Unmarshaler known = shared ? null : unmarshalerOf(types.get(number));
    if (known == null || !known.isSettled()) {
      return;
    }
    if (number >= unmarshalers.length) {
      int length = Math.max(types.size(), 2 * number);
      unmarshalers = Arrays.copyOf(unmarshalers, length);
      wholes = Arrays.copyOf(wholes, length);
      selfMade = Arrays.copyOf(selfMade, length);
    }
    unmarshalers[number] = known;
    wholes[number] = known.whole();
    selfMade[number] = known.selfMade();
    if (known instanceof LeafReader leaves) {
      useLeaves(leaves, number);
    }
  }

  /** What reads the next one, where arrays and constants begin as objects do. */
  private static @Nullable Unmarshaler unmarshalerOf(ReadType type) {
    return switch (type.kind()) {
      case Token.ARRAY -> type.elementCode() == 0 ? null : new ArrayReader.Direct(type);
      case Token.ENUM -> type.local() == null || !type.isEnum() ? null : new ConstantReader(type);
      default -> (Unmarshaler) type.planInUse();
    };
  }

  private void useLeaves(LeafReader leaves, int number) {
    switch (leaves.kind()) {
      case INTEGER -> integers = number;
      case LONG -> longs = number;
      case DOUBLE -> doubles = number;
      case OTHER -> {}
    }
  }

  /**
   * Binds all types again, superclasses first, but for those of which only the beginning was read.
   *
   * @param binder for each
   */
  public void rebind(Binder binder) throws IOException {
    forgetUnmarshalers();
    List<ReadType> all = new ArrayList<>();
    for (int number = 0; number < types.size(); number++) {
      ReadType type = types.get(number);
      if (type != null && type.isBound() && type.number() == number && !type.isPostponed()) {
        type.postpone(); // also if one before it fails
        all.add(type);
      }
    }
    for (ReadType type : all) {
      binder.rebind(type);
    }
  }

  /** A message begins: {@link #goOnAfter} goes back to here. */
  public void beginMessage() {
    typesBefore = types.size();
  }

  /** How many types have numbers. */
  public int size() {
    return types.size();
  }

  /** Takes over the types that another table had when the message began which has failed there. */
  public void goOnAfter(ReadTypeTable failed) {
    int known = Math.min(failed.typesBefore, failed.types.size());
    types.addAll(failed.types.subList(0, known));
  }

  /** Finds the class again that a type stands for. */
  public interface Binder {
    void rebind(ReadType type) throws IOException;
  }

  public void clear() {
    types.clear();
    forgetUnmarshalers();
  }

  private void forgetUnmarshalers() {
    unmarshalers = NO_UNMARSHALERS;
    wholes = NO_WHOLES;
    selfMade = NO_CLASSES;
    integers = FormatReader.NOTHING_TAKEN;
    longs = FormatReader.NOTHING_TAKEN;
    doubles = FormatReader.NOTHING_TAKEN;
  }
}
