package io.karmi.uka.engine.read;

import io.karmi.uka.format.FormatReader;
import io.karmi.uka.format.FormatWriter;
import io.karmi.uka.handle.ReadHandleTable;
import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.LocalClass;
import io.karmi.uka.type.StreamClasses;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.ObjectStreamClass;
import java.io.StreamCorruptedException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reader of types, which finds the class of each. {@code TypeWriter} is its mirror image. */
public final class TypeReader {
  private final ReadContext reader;
  private final SpecialValues specials;
  private final FormatReader format;
  private final ReadHandleTable handles;

  /** Upper bound of descriptions within each other, against forged streams. */
  private static final int MAXIMUM_NESTING = 300;

  private final ReadTypeTable table;
  private final SlimTypes slimTypes;

  /** Whether types are numbered as objects, by handles. */
  private final boolean shared;

  /** Descriptions that are being read within each other. */
  private int nesting;

  /** The last descriptor that {@link #readUnbound} has returned. */
  private @Nullable ObjectStreamClass lastDescriptor;

  /** The stream's last description of a class, which a program may have replaced. */
  private @Nullable ClassDescription lastDescription;

  public TypeReader(ReadContext reader, SpecialValues specials) {
    this.reader = reader;
    this.specials = specials;
    format = reader.format();
    handles = reader.handles();
    table = reader.typeTable();
    shared = format.numbersTypesAsObjects();
    slimTypes = new SlimTypes(reader);
  }

  /** Reads a type that must not be null. */
  public ReadType readRequired() throws IOException {
    ReadType type = read(false);
    if (type == null) {
      throw new StreamCorruptedException("an object without a class");
    }
    return type;
  }

  /** Reads a type, or null. */
  public @Nullable ReadType read(boolean unshared) throws IOException {
    int number = format.readType();
    reader.setCurrentHandle(ReadHandleTable.NONE);
    if (number == FormatWriter.NO_TYPE) {
      return null;
    }
    if (number >= 0) {
      return known(number, unshared);
    }
    if (nesting == MAXIMUM_NESTING) {
      throw new StreamCorruptedException(
          "more than " + MAXIMUM_NESTING + " class descriptions within each other");
    }
    nesting++;
    try {
      return switch (number) {
        case FormatWriter.NEW_TYPE -> readClass(unshared, false);
        case FormatWriter.NEW_NARROW -> readClass(unshared, true);
        case FormatWriter.NEW_PROXY -> readProxy(unshared);
        default -> readSlim(unshared);
      };
    } finally {
      nesting--;
    }
  }

  /** A type that is known by its number. */
  public ReadType numbered(int number) throws IOException {
    reader.setCurrentHandle(ReadHandleTable.NONE);
    return known(number, false);
  }

  private ReadType known(int number, boolean unshared) throws IOException {
    if (unshared) {
      throw new InvalidObjectException("cannot read back reference as unshared");
    }
    if (shared) {
      specials.checkHandle(number);
    }
    ReadType type = table.get(number);
    if (shared) {
      reader.setCurrentHandle(number);
    }
    reader.check(null, -1);
    type.checkBound();
    if (type.isPostponed()) {
      settle(type);
    }
    reader.checkAgain(type);
    return type;
  }

  /**
   * Finds the classes of a postponed type and of its superclasses, these first, without recursion,
   * as there may be many.
   */
  private void settle(ReadType type) throws IOException {
    List<ReadType> open = new ArrayList<>();
    for (ReadType each = type; each != null && each.isPostponed(); each = each.superclass()) {
      open.add(each);
    }
    for (int i = open.size() - 1; i >= 0; i--) {
      rebind(open.get(i));
      checkUnmentioned(open.get(i));
    }
  }

  private void finish(int handle) {
    if (handle != ReadHandleTable.NONE) {
      handles.finish(handle);
    }
    reader.setCurrentHandle(handle);
  }

  /**
   * @param narrows whether the next numbers are those of the class with narrow numbers
   */
  private ReadType readClass(boolean unshared, boolean narrows) throws IOException {
    ReadType type = new ReadType();
    int handle = table.assign(type, unshared);
    if (narrows) {
      table.assignNarrow(type, unshared);
    }
    ObjectStreamClass descriptor = null;
    ClassDescription description;
    lastDescription = null;
    if (reader.hooks.overridesReadClassDescriptor()) {
      try {
        descriptor = reader.hooks.readClassDescriptor();
      } catch (ClassNotFoundException e) {
        throw withCause(new InvalidClassException("failed to read class descriptor"), e);
      }
      description = describe(descriptor);
    } else {
      description = readDescription();
      lastDescription = description;
    }
    if (lastDescription != null) {
      type.setSaid(lastDescription);
    }
    if (lastDescription != null && format.hasShortForm(lastDescription)) {
      type.setShortForm(lastDescription.name);
    }
    Class<?> resolved = null;
    ClassNotFoundException failure = null;
    reader.blocks().setBlockMode(true);
    try {
      resolved = resolve(description, descriptor);
      if (resolved == null) {
        failure = new ClassNotFoundException("null class");
      }
    } catch (ClassNotFoundException e) {
      failure = e;
    }
    reader.check(resolved, -1);
    reader.callbacks().skipCustomData();
    reader.enterType();
    try {
      type.bind(description, resolved, failure, read(false));
      checkUnmentioned(type);
    } finally {
      reader.leave();
    }
    finish(handle);
    return type;
  }

  private @Nullable Class<?> resolve(
      ClassDescription description, @Nullable ObjectStreamClass descriptor)
      throws IOException, ClassNotFoundException {
    if (!reader.hooks.overridesResolveClass()) {
      Class<?> known = ClassFinder.core(description.name, reader.caller());
      if (known != null) {
        return known;
      }
      return ClassFinder.find(description.name, callingLoader());
    }
    if (descriptor != null) {
      return reader.hooks.resolveClass(descriptor);
    }
    boolean shows = reader.hooks.showsArrayVersions();
    return reader.hooks.resolveClass(
        StreamClasses.shared(shows ? withVersion(description) : description));
  }

  /** The loader of the latest user code, looked for once in a call of the program's. */
  private ClassLoader callingLoader() throws IOException, ClassNotFoundException {
    ClassLoader loader = reader.caller();
    if (loader == null) {
      loader = latestUserLoader();
      reader.setCaller(loader);
    }
    return loader;
  }

  /**
   * The loader of the latest user code. The VM may be asked as long as the stream has no class of a
   * program: only such classes have unmarshalling constructors, whose frames the VM would count.
   */
  private ClassLoader latestUserLoader() throws IOException, ClassNotFoundException {
    return reader.hasUserClasses()
        ? ClassFinder.latestUserLoader()
        : ClassFinder.firstLoader(reader.hooks);
  }

  /* The UKA format omits the version of an array class; a program may look at it. */
  private static ClassDescription withVersion(ClassDescription description) throws IOException {
    if (description.serialVersionUid != 0 || !description.name.startsWith("[")) {
      return description;
    }
    long uid;
    try {
      uid = ObjectStreamClass.lookupAny(ClassFinder.find(description.name)).getSerialVersionUID();
    } catch (ClassNotFoundException e) {
      uid = 0;
    }
    return new ClassDescription(description.name, uid, description.flags, description.fields);
  }

  /** Binds all types again, superclasses first, as a type's class depends on the caller. */
  public void rebind() throws IOException {
    reader.forgetKnown();
    table.rebind(this::rebind);
  }

  private void rebind(ReadType type) throws IOException {
    Class<?> resolved = null;
    ClassNotFoundException failure = null;
    try {
      resolved =
          type.isProxy()
              ? reader.hooks.resolveProxyClass(type.interfaces())
              : resolve(Objects.requireNonNull(type.description()), null);
    } catch (ClassNotFoundException e) {
      failure = e;
    }
    if (resolved != null && type.isSlim()) {
      rebindSlim(type, resolved);
    } else {
      type.rebind(resolved, failure);
    }
    type.settle();
  }

  private void rebindSlim(ReadType type, Class<?> resolved) throws IOException {
    ClassDescription known = Objects.requireNonNull(type.description());
    LocalClass local = slimTypes.matching(resolved, known.name, type.fingerprint());
    ReadType superclass = slimTypes.superclassOf(local);
    type.rebindSlim(local, superclass);
  }

  /** Shows the filter the local superclasses that the stream does not mention. */
  private void checkUnmentioned(ReadType type) throws InvalidClassException {
    LocalClass local = type.local();
    if (local == null) {
      return;
    }
    LocalClass mentioned = null;
    for (ReadType above = type.superclass();
        above != null && mentioned == null;
        above = above.superclass()) {
      mentioned = above.local();
    }
    for (LocalClass above = local.superclass;
        above != null && above != mentioned;
        above = above.superclass) {
      reader.check(above.type, -1);
    }
  }

  /** Reads a slim type: a name and a fingerprint. */
  private ReadType readSlim(boolean unshared) throws IOException {
    ReadType type = new ReadType();
    table.assign(type, unshared);
    String name = format.readSlimName();
    long fingerprint = format.readFingerprint();
    slimTypes.checkAcceptable(name);
    Class<?> resolved;
    reader.blocks().setBlockMode(true);
    try {
      resolved = resolve(SlimTypes.named(name), null);
    } catch (ClassNotFoundException e) {
      throw SlimTypes.missing(name, e);
    }
    if (resolved == null) {
      throw SlimTypes.missing(name, null);
    }
    reader.check(resolved, -1);
    reader.callbacks().skipCustomData();
    LocalClass local = slimTypes.matching(resolved, name, fingerprint);
    reader.enterType();
    try {
      type.bindSlim(local, fingerprint, slimTypes.superclassOf(local));
    } finally {
      reader.leave();
    }
    reader.setCurrentHandle(ReadHandleTable.NONE);
    return type;
  }

  private ReadType readProxy(boolean unshared) throws IOException {
    ReadType type = new ReadType();
    int handle = table.assign(type, unshared);
    String[] interfaces = format.readProxyInterfaces();
    type.setInterfaces(interfaces);
    Class<?> resolved = null;
    ClassNotFoundException failure = null;
    reader.blocks().setBlockMode(true);
    try {
      resolved =
          reader.hooks.overridesResolveProxyClass()
              ? reader.hooks.resolveProxyClass(interfaces)
              : ClassFinder.findProxy(interfaces, callingLoader());
      if (resolved == null) {
        failure = new ClassNotFoundException("null class");
      } else if (!Proxy.isProxyClass(resolved)) {
        throw new InvalidClassException("Not a proxy");
      } else {
        for (Class<?> implemented : resolved.getInterfaces()) {
          reader.check(implemented, -1);
        }
      }
    } catch (ClassNotFoundException e) {
      failure = e;
    } catch (IllegalAccessError e) {
      throw withCause(new InvalidClassException(e.getMessage()), e);
    }
    reader.check(resolved, -1);
    reader.callbacks().skipCustomData();
    reader.enterType();
    try {
      type.bindProxy(resolved, failure, read(false));
    } finally {
      reader.leave();
    }
    finish(handle);
    return type;
  }

  private static InvalidClassException withCause(InvalidClassException exception, Throwable cause) {
    exception.initCause(cause);
    return exception;
  }

  /** Reads a description as a descriptor for a program. */
  public ObjectStreamClass readUnbound() throws IOException, ClassNotFoundException {
    ClassDescription description = readDescription();
    lastDescription = description;
    ObjectStreamClass descriptor = StreamClasses.unbound(withVersion(description));
    lastDescriptor = descriptor;
    return descriptor;
  }

  private ClassDescription readDescription() throws IOException {
    return reader.hooks.overridesCalls()
        ? format.readDescription(specials, reader.hooks.stream())
        : format.readDescription(specials);
  }

  private ClassDescription describe(ObjectStreamClass descriptor) throws IOException {
    return descriptor == lastDescriptor && descriptor != null && lastDescription != null
        ? lastDescription
        : StreamClasses.describe(descriptor);
  }
}
