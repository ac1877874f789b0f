package io.karmi.uka.marshal;

import io.karmi.uka.field.NumberWidth;
import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.platform.Instantiator;
import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.LocalClass;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidClassException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How ordinary objects of one type of one stream are read: the counterpart of {@link
 * ObjectMarshaler}.
 *
 * <p>{@link #choose} takes a faster way only where the stream's classes equal the local ones.
 * Fields are set when all of an object's fields have arrived, as the JDK does it: until then a
 * method that meets the object through a back reference sees them unset.
 */
abstract class Unmarshaler {
  /**
   * What the JDK's streams do with an Error of a constructor: until 24 they wrap it like an
   * exception.
   */
  private static final boolean ERRORS_PASS = Runtime.version().feature() >= 24;

  final ReadType type;

  /** Null as long as no object has been made. */
  private @Nullable Instantiator instantiator;

  Unmarshaler(ReadType type) {
    this.type = type;
  }

  static Unmarshaler choose(ReadType type) throws InvalidClassException {
    String form = type.shortForm();
    if (form == null) {
      return ofGeneralForm(type);
    }
    Unmarshaler compact = BoxReader.ofCompact(type, form);
    if (compact != null) {
      return compact;
    }
    Unmarshaler general = ofGeneralForm(type);
    LocalClass local = type.local();
    boolean same = local != null && local.name.equals(form);
    if (general instanceof PlatformReader platform) {
      return same ? platform : platform.general;
    }
    Unmarshaler ofShortForm = new ShortForms.Reader(type, form, general);
    return same && form.equals("java.time.Ser") && general instanceof External
        ? new TimeReader(type, ofShortForm)
        : ofShortForm;
  }

  private static Unmarshaler ofGeneralForm(ReadType type) throws InvalidClassException {
    LocalClass local = type.local();
    if (local != null && local.isRecord) {
      return new RecordReader(type, local);
    }
    if (type.isExternalizable()) {
      return new External(type);
    }
    if (local != null
        && type.width() == NumberWidth.FULL
        && ObjectMarshaler.marshalsItself(local)
        && !Modifier.isAbstract(local.type.getModifiers())
        && equalsLocal(type)) {
      return new AwareReader(type, local, byFields(type));
    }
    return byFields(type);
  }

  private static Unmarshaler byFields(ReadType type) throws InvalidClassException {
    LocalClass local = type.local();
    Unmarshaler ofJdk =
        local != null
                && type.width() == NumberWidth.FULL
                && local.type.getClassLoader() == null
                && equalsLocal(type)
            ? ofJdk(type, local)
            : null;
    if (ofJdk != null) {
      return ofJdk;
    }
    PlainReader plain = PlainReader.of(type);
    return plain == null ? new SerializableReader(type) : plain;
  }

  private static @Nullable Unmarshaler ofJdk(ReadType type, LocalClass local) {
    Unmarshaler box = BoxReader.of(type, local);
    return box == null ? PlatformReader.of(type, local) : box;
  }

  /** Whether the stream's whole hierarchy is the local one. */
  static boolean equalsLocal(ReadType type) {
    ReadType described = type;
    for (LocalClass level = type.local(); level != null; level = level.superclass) {
      if (described == null || described.local() != level) {
        return false;
      }
      ClassDescription description = described.description();
      if (description == null || !description.sameLayout(level.description())) {
        return false;
      }
      described = described.superclass();
    }
    return described == null;
  }

  /**
   * Reads the object's data; token and type have been read. Gives the object a handle, which is the
   * current one on return.
   *
   * @return the object, or null if it has no class here
   */
  abstract @Nullable Object unmarshal(ObjectReader in, boolean unshared) throws IOException;

  /** Reads an object that need not be checked; its handle is the current one on return. */
  @Nullable Object readShared(ObjectReader in) throws IOException {
    Object object = unmarshal(in, false);
    in.end(in.currentHandle());
    return object;
  }

  /**
   * Reads elements of an array or collection, as long as objects of this type come next that need
   * not be checked.
   *
   * @param number of the type
   * @param to where the elements end
   * @return the index of the first element that has not been read; {@code from} too if elements are
   *     to be read one by one
   */
  int readRun(ObjectReader in, int number, Object[] elements, int from, int to) throws IOException {
    return from;
  }

  /** Whether {@link #readShared} returns what {@code readResolve} would. */
  boolean resolves() {
    return false;
  }

  /** Whether it reads further objects no other way than the last one. */
  boolean isSettled() {
    return true;
  }

  /** What makes whole objects; null as long as it is not known that something can. */
  @Nullable ObjectAccess whole() {
    return null;
  }

  /**
   * Begins a plain object that {@link DeepReader} completes: gives it its handle.
   *
   * @return null, and nothing has happened, if such objects are not plain
   */
  DeepReader.@Nullable Half begin(ObjectReader in, boolean unshared) throws IOException {
    return null;
  }

  /** A new object, with its handle; null if it has no class here. */
  final @Nullable Object create(ObjectReader in, boolean unshared) throws IOException {
    Object object = null;
    try {
      LocalClass local = type.local();
      if (local != null) {
        Instantiator known = instantiator;
        if (known == null) {
          known = Objects.requireNonNull(local.instantiator());
          instantiator = known;
        }
        object = known.newInstance();
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw unableToCreate(e);
    }
    in.begin(object, type, unshared);
    return object;
  }

  /** What a constructor's failure becomes; an error passes as it is where the JDK lets it pass. */
  final InvalidClassException unableToCreate(Exception cause) {
    if (ERRORS_PASS
        && cause instanceof InvocationTargetException
        && cause.getCause() instanceof Error error) {
      throw error;
    }
    InvalidClassException exception =
        new InvalidClassException(
            Objects.requireNonNull(type.type()).getName(), "unable to create instance");
    exception.initCause(cause);
    return exception;
  }

  private static final class External extends Unmarshaler {
    private final boolean inBlocks;
    private final boolean ofUser;

    External(ReadType type) {
      super(type);
      ClassDescription description = type.description();
      inBlocks = description == null || description.hasBlockData();
      Class<?> known = type.type();
      ofUser = known != null && ClassFinder.isUserCode(known);
    }

    @Override
    @Nullable Object unmarshal(ObjectReader in, boolean unshared) throws IOException {
      Object object = create(in, unshared);
      in.callbacks().readExternal((Externalizable) object, inBlocks, ofUser);
      return object;
    }
  }
}
