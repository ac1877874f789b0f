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
 * A class as one stream describes it, bound to the class of this JVM that has its name, if there is
 * one.
 *
 * <p>Binding checks what Java's rules for versions of a class check at that moment; errors that
 * concern objects only are kept until one is read.
 */
public final class ReadType {
  /** No {@link Token}. */
  private static final int UNKNOWN = -1;

  private static final String[] NO_INTERFACES = {};

  private @Nullable ClassDescription description;
  private @Nullable Class<?> type;
  private @Nullable LocalClass local;
  private @Nullable ClassNotFoundException resolveFailure;

  /** Why the stream's and the local class do not match, as far as only objects are concerned. */
  private @Nullable InvalidClassException bindingError;

  private @Nullable ReadType superclass;
  private boolean proxy;
  private boolean bound;

  /** Its class is still to be looked for, by the next message that uses it. */
  private boolean postponed;

  /** The stream has named the class, and has given {@link #fingerprint} for all it has not said. */
  private boolean slim;

  private long fingerprint;
  private @Nullable ClassHooks resolver;
  private char elementCode;
  private @Nullable Class<?> referenceType;

  private int kind = UNKNOWN;

  /** Of the class whose short form its objects' data has; null if it has none. */
  private @Nullable String shortForm;

  /** Of the numbers in its objects' fields. */
  private final NumberWidth width;

  /** The type of the same class with numbers of full width. */
  private final ReadType original;

  private int number;

  /** Null until they are asked for. */
  private @Nullable EnumConstants constants;

  private String[] interfaces = NO_INTERFACES;
  private int lastMessage;
  private @Nullable ObjectStreamClass streamClass;

  /** How objects are read; null as long as none has been read. */
  private @Nullable ReadPlan plan;

  /** Whether {@link #plan} is all that there is to objects: their class does not replace them. */
  private boolean planInUse;

  public ReadType() {
    width = NumberWidth.FULL;
    original = this;
  }

  /**
   * The same class as in {@code original}, which has been bound, with objects that have numbers of
   * another width.
   */
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
    resolver = original.resolver;
    elementCode = original.elementCode;
    referenceType = original.referenceType;
    kind = original.kind;
    postponed = original.postponed;
    bound = true;
  }

  /** By which its objects refer to it; used if types are not numbered as objects. */
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
    this.superclass = superclass;
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

  /** Binds a type that the stream has only named, to the class that it must be. */
  public void bindSlim(LocalClass local, long fingerprint, @Nullable ReadType superclass)
      throws InvalidClassException {
    slim = true;
    this.fingerprint = fingerprint;
    bind(local.description(), local.type, null, superclass);
  }

  /** Binds such a type again, with superclasses that belong to the class it now is. */
  public void rebindSlim(LocalClass local, @Nullable ReadType superclass)
      throws InvalidClassException {
    if (local.type != type) {
      this.superclass = superclass;
      rebind(local.type, null);
    }
  }

  public boolean isSlim() {
    return slim;
  }

  /** Of a slim type, as the stream has it. */
  public long fingerprint() {
    return fingerprint;
  }

  /**
   * The local class's own description if the stream's says the same; so the two need not be
   * compared again.
   */
  private static ClassDescription sharedDescription(
      ClassDescription description, LocalClass local) {
    if (description.fields.length == 0) {
      /* Nothing to gain; and an array's own would initialize the class of its elements. */
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
    this.superclass = superclass;
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
   * Binds a type again that was bound before.
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
    plan = null;
    planInUse = false;
    if (description == null) {
      bindProxy(type, resolveFailure, superclass);
    } else {
      bind(description, type, resolveFailure, superclass);
    }
  }

  /**
   * The stream has described the class of this name in a way that makes its objects' data short.
   */
  public void setShortForm(String name) {
    shortForm = name;
  }

  /** The class whose short form its objects' data has; null if it has none. */
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

  /** What the stream itself has said about the class, whatever a program has made of that. */
  public void setSaid(ClassDescription said) {
    kind = kindOf(said);
  }

  private static int kindOf(ClassDescription description) {
    if (description.isEnum()) {
      return Token.ENUM;
    }
    return description.name.startsWith("[") ? Token.ARRAY : Token.OBJECT;
  }

  /**
   * {@code OBJECT}, {@code ARRAY} or {@code ENUM}: what the writer has for objects of this type.
   */
  public int kind() {
    if (kind == UNKNOWN) {
      kind = description == null ? Token.OBJECT : kindOf(description);
    }
    return kind;
  }

  /** The constants of an enum, as far as the stream has named any. */
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

  /**
   * Whether its class has not been looked for since {@link #postpone}: then it is no class until
   * {@link #settle}.
   */
  public boolean isPostponed() {
    return postponed;
  }

  /** Leaves it to the next message that uses the type to look for its class. */
  public void postpone() {
    postponed = true;
  }

  /** Its class has been looked for. */
  public void settle() {
    postponed = false;
  }

  /** Refuses a type that refers to itself before it is complete. */
  public void checkBound() throws InvalidClassException {
    if (!bound) {
      throw new InvalidClassException("Class descriptor should be initialized");
    }
  }

  /** The class of this JVM, or null. */
  public @Nullable Class<?> type() {
    return type;
  }

  /** The class of this JVM, or null. */
  public @Nullable LocalClass local() {
    return local;
  }

  /** What the stream says; null for a proxy. */
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

  /** The type code of an array's elements, as in a descriptor; 0 if this is no array class. */
  public char elementCode() {
    return elementCode;
  }

  /** The class of an array's elements if they are references; else null. */
  public @Nullable Class<?> referenceType() {
    return referenceType;
  }

  /** The methods of the class if {@code readResolve} is one of them; else null. */
  public @Nullable ClassHooks resolver() {
    return resolver;
  }

  /** Why there is no class of this JVM; null if there is one. */
  public @Nullable ClassNotFoundException resolveFailure() {
    return resolveFailure;
  }

  /** Throws what makes objects of this type unreadable. */
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

  /**
   * The message without the class name, which {@link InvalidClassException} puts in front itself.
   */
  private static @Nullable String message(InvalidClassException error) {
    String message = error.getMessage();
    return error.classname == null || message == null
        ? message
        : message.substring(error.classname.length() + 2);
  }

  /** Whether the stream's whole hierarchy is the local one. */
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

  /** How objects of this type are read; null as long as none has been read. */
  @Nullable ReadPlan plan() {
    return plan;
  }

  /** The same if nothing has to be checked for objects, nor done to them afterwards; else null. */
  @Nullable ReadPlan planInUse() {
    return planInUse ? plan : null;
  }

  /**
   * Keeps how objects are read, until the type is bound to another class.
   *
   * @param resolves whether that returns what {@code readResolve} would
   */
  void setPlan(ReadPlan chosen, boolean resolves) {
    plan = chosen;
    planInUse = isDeserializable() && (resolver == null || resolves);
  }

  /** The descriptor that a program sees; null if it is of a proxy that has no class here. */
  public @Nullable ObjectStreamClass streamClass() throws IOException, ClassNotFoundException {
    if (streamClass == null) {
      streamClass =
          local != null && isAsLocal(local)
              ? local.streamClass()
              : proxy ? null : StreamClasses.bound(streamLevels());
    }
    return streamClass;
  }

  private boolean isAsLocal(LocalClass local) {
    return description == null
        || local.isArray
        || (description.serialVersionUid == local.description().serialVersionUid
            && description.sameLayout(local.description()));
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
