package io.karmi.uka.engine.read;

import io.karmi.uka.field.NumberWidth;
import io.karmi.uka.format.FormatReader;
import io.karmi.uka.handle.ReadHandleTable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectStreamClass;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Table of a stream's types by number. In formats that number types together with objects it is the
 * table of the objects.
 */
public final class ReadTypeTable implements FormatReader.Types {
  private static final int NARROW_WIDTHS = NumberWidth.values().length - 1;

  private final ReadHandleTable handles;

  /** Whether {@link #handles} are the numbers. */
  private final boolean shared;

  /** Unused if types are numbered as objects. An entry that cannot be referred to is null. */
  private final List<@Nullable ReadType> types = new ArrayList<>();

  /** Number of types when the current message began. */
  private int typesBefore;

  /** What {@link #find} has found: by each of the few names that short forms ask for. */
  private Map<String, Found> found = Map.of();

  /** The number of a type: the last of its name among the first {@code ofTypes} types. */
  private record Found(int number, int ofTypes) {}

  public ReadTypeTable(ReadHandleTable handles, boolean shared) {
    this.handles = handles;
    this.shared = shared;
  }

  ReadHandleTable handles() {
    return handles;
  }

  /** Whether types are numbered as objects, by handles. */
  boolean isShared() {
    return shared;
  }

  /** Numbers a type; returns its handle, if it has one. */
  public int assign(ReadType type, boolean unshared) {
    if (shared) {
      int handle = handles.assign(unshared ? ReadHandleTable.UNSHARED : type);
      type.setNumber(unshared ? ReadHandleTable.NONE : handle);
      return handle;
    }
    type.setNumber(types.size());
    types.add(unshared ? null : type);
    return ReadHandleTable.NONE;
  }

  /**
   * Numbers the types with narrow numbers of the class whose type was numbered last. Each is made
   * when it is first used.
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
      if (object == null) {
        throw new StreamCorruptedException(
            "a reference to a class is one to an object that is being read");
      }
      /* What is no type fails as with the JDK's streams. */
      throw new ClassCastException(
          object.getClass() + " cannot be cast to " + ObjectStreamClass.class);
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
    Found before = found.get(name);
    int known = before == null ? 0 : before.ofTypes;
    int number = before == null ? -1 : before.number;
    for (int i = types.size() - 1; i >= known; i--) {
      ReadType type = types.get(i);
      if (type != null && type.number() == i && type.isNamed(name)) {
        number = i;
        break;
      }
    }
    if (number >= 0 && known < types.size()) {
      found = found.isEmpty() ? new HashMap<>() : found;
      found.put(name, new Found(number, types.size()));
    }
    return number;
  }

  private static IOException unsharedReference() {
    return new InvalidObjectException("cannot read back reference to unshared object");
  }

  /** The plan of the type with this number; null as long as none is in use. */
  @Nullable ReadPlan planInUse(int number) {
    Object known = !shared ? at(number) : number < handles.size() ? handles.get(number) : null;
    return known instanceof ReadType type ? type.planInUse() : null;
  }

  /** The type with this number, where types are not numbered as objects; null if there is none. */
  @Nullable ReadType at(int number) {
    return number < types.size() ? types.get(number) : null;
  }

  @Override
  public int runWidth(int number) {
    ReadPlan plan = planInUse(number);
    return plan == null ? NOT_KNOWN : plan.runWidth();
  }

  /** Binds all types again that have been read to their end, superclasses first. */
  public void rebind(Binder binder) throws IOException {
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

  /** Begins a message, to the start of which {@link #goOnAfter} goes back. */
  public void beginMessage() {
    typesBefore = types.size();
  }

  /** How many types have numbers. */
  public int size() {
    return types.size();
  }

  /** Takes over the types of another table from before the message that has failed there. */
  public void goOnAfter(ReadTypeTable failed) {
    int known = Math.min(failed.typesBefore, failed.types.size());
    types.addAll(failed.types.subList(0, known));
  }

  /** Looks for the class of a type again. */
  public interface Binder {
    void rebind(ReadType type) throws IOException;
  }

  public void clear() {
    types.clear();
    found = Map.of();
  }
}
