package io.karmi.uka.engine.read;

import io.karmi.uka.field.NumberWidth;
import io.karmi.uka.format.Token;
import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.ClassHooks;
import io.karmi.uka.type.LocalClass;
import io.karmi.uka.type.StreamClasses;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectStreamClass;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Class as one stream describes it, bound to the local class of its name, if there is one.
 *
 * <p>Binding applies Java's rules for versions of a class. Errors that concern objects only are
 * kept until an object is read.
 */
public final class ReadType {
  /** No {@link Token}. */
  private static final int UNKNOWN = -1;

  private static final String[] NO_INTERFACES = {};

  /** Superclasses of a type, at most: no class has as many, and each type lists all of its own. */
  private static final int MAXIMUM_SUPERCLASSES = 64;

  private @Nullable ClassDescription description;
  private @Nullable Class<?> type;
  private @Nullable LocalClass local;
  private @Nullable ClassNotFoundException resolveFailure;

  /** Mismatch of the stream's and the local class that concerns objects only, or null. */
  private @Nullable InvalidClassException bindingError;

  private @Nullable ReadType superclass;
  private int superclasses;
  private boolean proxy;
  private boolean bound;

  /** Whether the next message that uses the type has to look for its class. */
  private boolean postponed;

  /** Whether the stream has named the class and given its {@link #fingerprint} only. */
  private boolean slim;

  private long fingerprint;
  private @Nullable ClassHooks resolver;
  private char elementCode;
  private @Nullable Class<?> referenceType;

  private int kind = UNKNOWN;

  /** Name of the class whose short form the objects' data has, or null. */
  private @Nullable String shortForm;

  private final NumberWidth width;

  /** The type of the same class with numbers of full width. */
  private final ReadType original;

  private int number;

  /** Constants of an enum; null until asked for. */
  private @Nullable EnumConstants constants;

  private String[] interfaces = NO_INTERFACES;
  private int lastMessage;
  private @Nullable ObjectStreamClass streamClass;

  /** The type as a level of its objects and of those of types below it; they differ little. */
  private List<ClassLevel> levels = List.of();

  /** Plan by which objects are read; null as long as none has been read. */
  private @Nullable ReadPlan plan;

  /** Whether {@link #plan} suffices: objects need no check and are not replaced. */
  private boolean planInUse;

  public ReadType() {
    width = NumberWidth.FULL;
    original = this;
  }

  /** The type of a bound type's class whose objects have numbers of another width. */
  public ReadType(ReadType original, int number) {
    this.original = original;
    this.number = number;
    width = NumberWidth.values()[number - original.number];
    description = original.description;
    type = original.type;
    local = original.local;
    resolveFailure = original.resolveFailure;
    bindingError = original.bindingError;
    superclass = original.superclass;
    superclasses = original.superclasses;
    resolver = original.resolver;
    elementCode = original.elementCode;
    referenceType = original.referenceType;
    kind = original.kind;
    postponed = original.postponed;
    bound = true;
  }

  /** The type's number, where types are not numbered as objects. */
  public int number() {
    return number;
  }

  public void setNumber(int number) {
    this.number = number;
  }

  public NumberWidth width() {
    return width;
  }

  /** Binds a type that is an ordinary class in the stream. */
  public void bind(
      ClassDescription description,
      @Nullable Class<?> type,
      @Nullable ClassNotFoundException resolveFailure,
      @Nullable ReadType superclass)
      throws InvalidClassException {
    this.description = description;
    setSuperclass(superclass);
    this.resolveFailure = resolveFailure;
    if (type != null) {
      this.type = type;
      local = LocalClass.of(type);
      this.description = sharedDescription(description, local);
      bindingError = Binding.check(this.description, local);
    }
    resolver = resolver(local);
    elementCode = local != null && local.isArray ? local.name.charAt(1) : 0;
    boolean ofReferences = elementCode == 'L' || elementCode == '[';
    referenceType = local != null && ofReferences ? local.type.getComponentType() : null;
    bound = true;
  }

  private void setSuperclass(@Nullable ReadType superclass) throws InvalidClassException {
    this.superclass = superclass;
    superclasses = superclass == null ? 0 : superclass.superclasses + 1;
    if (superclasses > MAXIMUM_SUPERCLASSES) {
      throw new InvalidClassException(
          description == null ? "a proxy" : description.name,
          "it has more than " + MAXIMUM_SUPERCLASSES + " superclasses");
    }
  }

  /** Binds a slim type to the class that it must be. */
  public void bindSlim(LocalClass local, long fingerprint, @Nullable ReadType superclass)
      throws InvalidClassException {
    slim = true;
    this.fingerprint = fingerprint;
    bind(local.description(), local.type, null, superclass);
  }

  /** Binds a slim type again, with the superclasses of its new class. */
  public void rebindSlim(LocalClass local, @Nullable ReadType superclass)
      throws InvalidClassException {
    if (local.type != type) {
      setSuperclass(superclass);
      rebind(local.type, null);
    }
  }

  public boolean isSlim() {
    return slim;
  }

  /** Fingerprint of a slim type. */
  public long fingerprint() {
    return fingerprint;
  }

  /** The local class's description if the stream's is equal; then they are compared only once. */
  private static ClassDescription sharedDescription(
      ClassDescription description, LocalClass local) {
    if (description.fields.length == 0) {
      /* The description of a local array class would initialize the class of its elements. */
      return description;
    }
    ClassDescription own = local.description();
    return description.serialVersionUid == own.serialVersionUid && description.sameLayout(own)
        ? own
        : description;
  }

  private static @Nullable ClassHooks resolver(@Nullable LocalClass local) {
    return local != null && local.hooks().hasReadResolve() ? local.hooks() : null;
  }

  /** Binds a type that is a dynamic proxy class. */
  public void bindProxy(
      @Nullable Class<?> type,
      @Nullable ClassNotFoundException resolveFailure,
      @Nullable ReadType superclass)
      throws InvalidClassException {
    proxy = true;
    setSuperclass(superclass);
    this.resolveFailure = resolveFailure;
    if (type != null) {
      this.type = type;
      local = LocalClass.of(type);
      if (!local.isProxy) {
        throw new InvalidClassException("cannot bind proxy descriptor to a non-proxy class");
      }
    }
    resolver = resolver(local);
    bound = true;
  }

  /**
   * Binds a bound type to another class.
   *
   * @param type the class that now has its name, or null
   */
  public void rebind(@Nullable Class<?> type, @Nullable ClassNotFoundException resolveFailure)
      throws InvalidClassException {
    if (type != null && type == this.type) {
      return;
    }
    this.type = null;
    local = null;
    bindingError = null;
    if (constants != null) {
      constants.forget();
    }
    streamClass = null;
    levels = List.of();
    plan = null;
    planInUse = false;
    if (description == null) {
      bindProxy(type, resolveFailure, superclass);
    } else {
      bind(description, type, resolveFailure, superclass);
    }
  }

  /** Sets the name of the class whose short form the objects' data has. */
  public void setShortForm(String name) {
    shortForm = name;
  }

  /** Name of the class whose short form the objects' data has; null if it has none. */
  public @Nullable String shortForm() {
    return shortForm;
  }

  /** Whether the stream has described a class of this name. */
  public boolean isNamed(String name) {
    return bound
        && description != null
        && width == NumberWidth.FULL
        && description.name.equals(name);
  }

  /** Sets the kind by the stream's own description, which a program may have replaced. */
  public void setSaid(ClassDescription said) {
    kind = kindOf(said);
  }

  private static int kindOf(ClassDescription description) {
    if (description.isEnum()) {
      return Token.ENUM;
    }
    return description.name.startsWith("[") ? Token.ARRAY : Token.OBJECT;
  }

  /** {@code OBJECT}, {@code ARRAY} or {@code ENUM}: the token of its objects. */
  public int kind() {
    if (kind == UNKNOWN) {
      kind = description == null ? Token.OBJECT : kindOf(description);
    }
    return kind;
  }

  /** The constants of an enum that the stream has named. */
  public EnumConstants constants() {
    EnumConstants known = constants;
    if (known == null) {
      known = new EnumConstants();
      constants = known;
    }
    return known;
  }

  /** True the first time a message uses the type. */
  public boolean enter(int message) {
    boolean first = original.lastMessage != message;
    original.lastMessage = message;
    return first;
  }

  /** The names of a proxy's interfaces, for {@link #rebind}. */
  public String[] interfaces() {
    return interfaces;
  }

  public void setInterfaces(String[] names) {
    interfaces = names;
  }

  public boolean isBound() {
    return bound;
  }

  /** Whether its class has not been looked for since {@link #postpone}. */
  public boolean isPostponed() {
    return postponed;
  }

  /** Lets the next message that uses the type look for its class. */
  public void postpone() {
    postponed = true;
  }

  /** Ends {@link #postpone}, as the class has been looked for. */
  public void settle() {
    postponed = false;
  }

  /** Refuses a type that refers to itself before it is complete. */
  public void checkBound() throws InvalidClassException {
    if (!bound) {
      throw new InvalidClassException("Class descriptor should be initialized");
    }
  }

  /** The local class, or null. */
  public @Nullable Class<?> type() {
    return type;
  }

  /** The local class, or null. */
  public @Nullable LocalClass local() {
    return local;
  }

  /** The stream's description; null for a proxy. */
  public @Nullable ClassDescription description() {
    return description;
  }

  public @Nullable ReadType superclass() {
    return superclass;
  }

  public boolean isProxy() {
    return proxy;
  }

  public boolean isEnum() {
    return description != null && description.isEnum();
  }

  public boolean isExternalizable() {
    return description == null
        ? local != null && local.isExternalizable
        : description.isExternalizable();
  }

  /** Type code of an array's elements; 0 if this is no array class. */
  public char elementCode() {
    return elementCode;
  }

  /** The class of an array's elements if they are references; else null. */
  public @Nullable Class<?> referenceType() {
    return referenceType;
  }

  /** The hooks of the class if it has {@code readResolve}; else null. */
  public @Nullable ClassHooks resolver() {
    return resolver;
  }

  /** The reason why there is no local class; null if there is one. */
  public @Nullable ClassNotFoundException resolveFailure() {
    return resolveFailure;
  }

  /** Throws the error that makes objects of this type unreadable, if any. */
  public void checkDeserializable() throws InvalidClassException {
    if (bindingError != null) {
      throw new InvalidClassException(bindingError.classname, message(bindingError));
    }
    if (local != null && !local.isDeserializable()) {
      throw local.deserializeError();
    }
  }

  private boolean isDeserializable() {
    return bindingError == null && (local == null || local.isDeserializable());
  }

  /** The message without the class name, which {@link InvalidClassException} prepends. */
  private static @Nullable String message(InvalidClassException error) {
    String message = error.getMessage();
    return error.classname == null || message == null
        ? message
        : message.substring(error.classname.length() + 2);
  }

  /** Whether the stream's whole hierarchy equals the local one. */
  public boolean equalsLocal() {
    ReadType described = this;
    for (LocalClass level = local; level != null; level = level.superclass) {
      if (described == null || described.local != level) {
        return false;
      }
      ClassDescription known = described.description;
      if (known == null || !known.sameLayout(level.description())) {
        return false;
      }
      described = described.superclass;
    }
    return described == null;
  }

  /** The type as a level of objects, as far as it was asked for since it was bound. */
  List<ClassLevel> levels() {
    return levels;
  }

  /** Keeps the type as a level, for all types below it: it may have many fields. */
  void keepLevel(ClassLevel level) {
    if (levels.isEmpty()) {
      levels = new ArrayList<>(1);
    }
    levels.add(level);
  }

  /** The plan by which objects are read; null as long as none has been read. */
  @Nullable ReadPlan plan() {
    return plan;
  }

  /** The plan, if objects need no check and are not replaced; else null. */
  @Nullable ReadPlan planInUse() {
    return planInUse ? plan : null;
  }

  /**
   * Keeps a plan until the type is bound to another class.
   *
   * @param resolves whether the plan returns what {@code readResolve} would
   */
  void setPlan(ReadPlan chosen, boolean resolves) {
    plan = chosen;
    planInUse = isDeserializable() && (resolver == null || resolves);
  }

  /**
   * The descriptor for a program; null for a proxy without a local class. It is not that of the
   * local class, even if it says the same: fields of a descriptor that has been read do not know
   * their types.
   */
  public @Nullable ObjectStreamClass streamClass() throws IOException, ClassNotFoundException {
    if (streamClass == null) {
      streamClass =
          local != null && (description == null || local.isArray)
              ? local.streamClass()
              : proxy ? null : StreamClasses.bound(streamLevels());
    }
    return streamClass;
  }

  /** Fields of its {@link #streamClass} and of its superclasses', if these are to be made. */
  int fieldsToShow() {
    int all = 0;
    for (ReadType level = this;
        streamClass == null && level != null && level.description != null;
        level = level.superclass) {
      all += level.description.fields.length;
    }
    return all;
  }

  private List<StreamClasses.Level> streamLevels() {
    List<StreamClasses.Level> all = new ArrayList<>();
    for (ReadType level = this;
        level != null && level.description != null;
        level = level.superclass) {
      all.add(new StreamClasses.Level(level.description, level.type));
    }
    return all;
  }
}
