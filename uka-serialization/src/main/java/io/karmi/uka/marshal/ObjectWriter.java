package io.karmi.uka.marshal;

import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.format.FormatWriter;
import io.karmi.uka.format.Token;
import io.karmi.uka.handle.HandleTable;
import io.karmi.uka.marshal.access.FieldSink;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.nio.ByteOrder;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The writing half of the engine: Java's serialization semantics, in whatever wire format.
 *
 * <p>It decides for each object whether it is null, known, replaced or new, numbers it, and hands a
 * new one to the {@link Marshaler} of its class. Everything in an object that is not a reference is
 * written by marshalers, straight into {@link #buffer()}.
 *
 * <p>Two modes alternate. In block mode the bytes a program writes gather in blocks; that is so
 * between objects and inside the methods of a program's classes. Else tokens and fields are
 * written. {@link #writeObject} switches for the time of one object.
 *
 * <p>Not thread-safe, as the JDK's streams are not.
 */
public final class ObjectWriter extends FieldSink {
  /** How many objects may be written within each other by calls within calls. */
  private static final int DEEP = 128;

  final OutputHooks hooks;
  private final FormatWriter format;
  private final BlockWriter blocks;
  private final WriteCallbacks callbacks;
  private final boolean embedded;
  private final boolean littleEndian;
  private final boolean showsCalls;
  private final boolean compact;
  private final HandleTable handles = new HandleTable();
  private final TypeWriter types;

  /** Objects that were replaced, each with what it was replaced by. */
  private Map<Object, Object> replacements;

  private boolean replacing;
  private int protocol = ObjectStreamConstants.PROTOCOL_VERSION_2;
  private int depth;
  private EntryWriter entries;

  /**
   * An engine for one stream.
   *
   * @param slim whether classes are named, not described (paper 3.2), if the format can do that
   * @param embedded whether the caller frames messages itself: then nothing but values is written,
   *     and a failure leaves no trace but the bytes written so far
   */
  public ObjectWriter(
      OutputHooks hooks, OutputBuffer buffer, FormatWriter format, boolean slim, boolean embedded) {
    super(buffer);
    this.hooks = hooks;
    this.format = format;
    this.embedded = embedded;
    littleEndian = format.order() == ByteOrder.LITTLE_ENDIAN;
    showsCalls = hooks.overridesCalls();
    compact = format.compactsNumbers() && !hooks.overridesWriteClassDescriptor();
    blocks = new BlockWriter(buffer, format);
    callbacks = new WriteCallbacks(this);
    types = new TypeWriter(this, format, handles, slim);
  }

  /** Where marshalers store primitives. */
  public OutputBuffer buffer() {
    return buffer;
  }

  /** The wire format in use. */
  public FormatWriter format() {
    return format;
  }

  /** Whether the format's primitives are little-endian. */
  boolean isLittleEndian() {
    return littleEndian;
  }

  /** Whether a program sees how the methods of classes call the stream. */
  boolean showsCalls() {
    return showsCalls;
  }

  /** Whether boxes of {@code int} and {@code long} take as many bytes as their values need. */
  boolean isCompact() {
    return compact;
  }

  EntryWriter entries() {
    if (entries == null) {
      entries = new EntryWriter(this);
    }
    return entries;
  }

  WriteCallbacks callbacks() {
    return callbacks;
  }

  int protocol() {
    return protocol;
  }

  /** Begins the stream's body, where a program's primitives are in blocks. */
  public void start() throws IOException {
    blocks.setBlockMode(!embedded);
  }

  /**
   * Writes one object on behalf of a program: between objects or from a method of one of its
   * classes.
   *
   * @param unshared whether it must be the only reference to it
   */
  public void writeObject(Object object, boolean unshared) throws IOException {
    if (depth == 0) {
      writeMessage(object, unshared);
      return;
    }
    boolean mode = blocks.setBlockMode(false);
    int outerDepth = depth++;
    try {
      if (unshared) {
        writeValue(object, true);
      } else {
        writeShared(object);
      }
    } finally {
      depth = outerDepth;
      blocks.setBlockMode(mode);
    }
  }

  private void writeMessage(Object object, boolean unshared) throws IOException {
    blocks.setTopLevel(false);
    boolean mode = blocks.setBlockMode(false);
    depth = 1;
    try {
      if (unshared) {
        writeValue(object, true);
      } else {
        writeShared(object);
      }
    } catch (IOException e) {
      depth = 0;
      blocks.setBlockMode(mode);
      writeFailure(e);
      throw e;
    } finally {
      depth = 0;
      blocks.setBlockMode(mode);
      blocks.setTopLevel(true);
      deliver();
    }
  }

  /** Hands over what has been written, unless the owner of the buffer does that. */
  private void deliver() throws IOException {
    if (!embedded) {
      buffer.deliver();
    }
  }

  /**
   * Writes what a field or array element refers to. For marshalers, which are never in block mode.
   */
  @Override
  public void writeReference(@Nullable Object object) throws IOException {
    if (object == null) {
      format.writeToken(Token.NULL);
      return;
    }
    depth++;
    writeShared(object);
    depth--;
  }

  @Override
  public void writeString(@Nullable String text) throws IOException {
    if (text == null) {
      format.writeToken(Token.NULL);
    } else if (isWatched()) {
      writeReference(text);
    } else {
      int handle = handles.findOrAssign(text);
      if (handle >= 0) {
        format.writeReference(handle);
      } else {
        format.writeString(text);
      }
    }
  }

  private void writeShared(Object object) throws IOException {
    if (object == null || isWatched() || depth > DEEP || !writeDirect(object)) {
      writeValue(object, false);
    }
  }

  @Override
  public boolean isNew(Object object) throws IOException {
    int handle = handles.findOrAssign(object);
    if (handle >= 0) {
      format.writeReference(handle);
    }
    return handle < 0;
  }

  @Override
  public boolean isWatched() {
    return replacing || replacements != null;
  }

  /**
   * Writes an object that neither its class nor the stream replaces, if the reader knows its type.
   */
  private boolean writeDirect(Object object) throws IOException {
    KnownClasses.Known known = types.known(object.getClass());
    if (!known.isDirect()) {
      return false;
    }
    writeDirect(known, object);
    return true;
  }

  private void writeDirect(KnownClasses.Known known, Object object) throws IOException {
    int handle = handles.findOrAssign(object);
    if (handle >= 0) {
      format.writeReference(handle);
    } else {
      known.write(this, object);
    }
  }

  /** Writes what the elements of an array refer to, which are often objects of one class. */
  void writeReferences(Object[] elements) throws IOException {
    KnownClasses.@Nullable Known known = null;
    int next = 0;
    while (next < elements.length) {
      known = writeElement(elements[next++], known);
      if (known != null && depth < DEEP) {
        depth++;
        next = known.writeRun(this, elements, next);
        depth--;
      }
    }
  }

  /**
   * Writes what an element of an array or collection refers to.
   *
   * @param last what this method returned for the element before, which often is of the same class
   */
  KnownClasses.@Nullable Known writeElement(
      @Nullable Object element, KnownClasses.@Nullable Known last) throws IOException {
    if (element == null) {
      format.writeToken(Token.NULL);
      return last;
    }
    if (element instanceof String text) {
      writeString(text);
      return last;
    }
    Class<?> type = element.getClass();
    KnownClasses.Known known = last != null && last.type == type ? last : types.known(type);
    if (known.isDirect() && !isWatched() && depth < DEEP) {
      depth++;
      writeDirect(known, element);
      depth--;
      return known;
    }
    /* From now on the reader may know the type. */
    writeReference(element);
    return null;
  }

  /** Writes an object that nobody but the caller has seen, so that nothing else refers to it. */
  void writeFresh(Object object) throws IOException {
    KnownClasses.Known known = types.known(object.getClass());
    if (!known.isDirect() || isWatched() || depth >= DEEP) {
      writeReference(object);
      return;
    }
    depth++;
    handles.assign(null);
    known.write(this, object);
    depth--;
  }

  void writeUnsharedReference(Object object) throws IOException {
    depth++;
    writeValue(object, true);
    depth--;
  }

  private void writeValue(Object object, boolean unshared) throws IOException {
    Object value = prepare(object, unshared);
    if (value == null) {
      return;
    }
    Marshaler marshaler = marshalerOf(value);
    if (depth > DEEP && marshaler.isPlain()) {
      DeepWriter.write(this, marshaler, value, unshared);
    } else {
      marshaler.write(this, value, unshared);
    }
  }

  /** How an object is written that will not be replaced any more, or how it is replaced. */
  Marshaler marshalerOf(Object value) throws IOException {
    Marshaler marshaler = types.known(value.getClass()).marshaler;
    return replacing ? marshaler.whenReplacing() : marshaler;
  }

  /**
   * Replaces the object if somebody wants that, and writes it if it is null or known.
   *
   * @return what is new to the message and has to be written; null if nothing
   */
  Object prepare(Object object, boolean unshared) throws IOException {
    Object value = replacements == null ? object : replacements.getOrDefault(object, object);
    if (writeKnown(value, unshared)) {
      return null;
    }
    Marshaler marshaler = marshalerOf(value);
    if (!marshaler.isReplaceable() && (!replacing || marshaler.isClassOrDescriptor())) {
      return value;
    }
    Object replaced = replace(value, marshaler);
    if (replaced == value) {
      return value;
    }
    if (replacements == null) {
      replacements = new IdentityHashMap<>();
    }
    replacements.put(value, replaced);
    return writeKnown(replaced, unshared) ? null : replaced;
  }

  /** Writes null or a reference if that is what the value is. */
  private boolean writeKnown(Object value, boolean unshared) throws IOException {
    if (value == null) {
      format.writeToken(Token.NULL);
      return true;
    }
    if (!unshared) {
      int handle = handles.find(value);
      if (handle >= 0) {
        format.writeReference(handle);
        return true;
      }
    }
    return false;
  }

  /** Asks {@code writeReplace} until the class repeats, and then the stream. */
  private Object replace(Object object, Marshaler first) throws IOException {
    Object value = object;
    Marshaler marshaler = first;
    while (marshaler.isReplaceable()) {
      Class<?> type = value.getClass();
      value = marshaler.replace(value);
      if (value == null || value.getClass() == type) {
        break;
      }
      marshaler = marshalerOf(value);
    }
    return replacing ? hooks.replaceObject(value) : value;
  }

  /** Writes a token and a type, and gives the object its handle. */
  void open(int token, LocalClass type, Object object, boolean unshared) throws IOException {
    types.open(token, type);
    handles.assign(unshared ? null : object);
  }

  void writeDescriptor(ObjectStreamClass descriptor, boolean unshared) throws IOException {
    types.writeDescriptor(descriptor, unshared);
  }

  void writeString(String text, boolean unshared) throws IOException {
    handles.assign(unshared ? null : text);
    format.writeString(text);
  }

  /** Writes which constant it is, behind the type. */
  void writeConstant(LocalClass declaring, Enum<?> constant) throws IOException {
    if (!format.numbersConstants()) {
      writeString(constant.name(), false);
      return;
    }
    int number = types.known(declaring.type).constantNumber(constant.ordinal());
    if (number >= 0) {
      format.writeConstant(number, null);
    } else {
      format.writeConstant(~number, constant.name());
    }
  }

  /** Writes a string that is part of something else, by its handle if it has one. */
  void writeName(String name) throws IOException {
    int handle = handles.find(name);
    if (handle >= 0) {
      format.writeReference(handle);
    } else {
      writeString(name, false);
    }
  }

  /* What a program calls from its writeObject methods. */

  /** {@link ObjectOutputStream#defaultWriteObject}. */
  public void defaultWriteObject() throws IOException {
    callbacks.defaultWriteObject();
  }

  /** {@link ObjectOutputStream#putFields}. */
  public ObjectOutputStream.PutField putFields() throws IOException {
    return callbacks.putFields();
  }

  /** {@link ObjectOutputStream#writeFields}. */
  public void writeFields() throws IOException {
    callbacks.writeFields();
  }

  /* The state of the whole stream. */

  /** {@link ObjectOutputStream#reset}: objects and types are forgotten on both sides. */
  public void reset() throws IOException {
    reset(Token.RESET);
  }

  /** Forgets objects on both sides and keeps types (the second reset of paper 3.3). */
  public void resetObjects() throws IOException {
    if (embedded) {
      checkInactive();
      clearObjects();
      types.beginMessage();
    } else {
      reset(format.numbersTypesAsObjects() ? Token.RESET : Token.RESET_OBJECTS);
    }
  }

  private void reset(int token) throws IOException {
    checkInactive();
    boolean mode = blocks.setBlockMode(false);
    format.writeToken(token);
    clearObjects();
    if (token == Token.RESET) {
      types.clear();
    }
    blocks.setBlockMode(mode);
    deliver();
  }

  private void checkInactive() throws IOException {
    if (depth != 0) {
      throw new IOException("stream active");
    }
  }

  /**
   * Takes back the type numbers of a message that will not be sent, and forgets its objects. A
   * message begins with {@link #resetObjects}.
   */
  public void discardMessage() throws IOException {
    blocks.setBlockMode(false);
    depth = 0;
    callbacks.clear();
    clearObjects();
    types.discardMessage();
  }

  /** Forgets everything, silently: the stream has been closed. */
  public void clear() {
    clearObjects();
    types.clear();
  }

  private void clearObjects() {
    handles.clear();
    replacements = null;
  }

  /** Tells the reader that, and why, the object that has been begun will not be completed. */
  private void writeFailure(IOException failure) throws IOException {
    if (embedded) {
      return;
    }
    clear();
    boolean mode = blocks.setBlockMode(false);
    depth++;
    try {
      format.writeToken(Token.EXCEPTION);
      writeValue(failure, false);
      clear();
    } finally {
      depth--;
      blocks.setBlockMode(mode);
    }
  }

  /** {@link ObjectOutputStream#useProtocolVersion}. */
  public void useProtocolVersion(int version) {
    if (handles.size() != 0) {
      throw new IllegalStateException("stream non-empty");
    }
    if (version != ObjectStreamConstants.PROTOCOL_VERSION_1
        && version != ObjectStreamConstants.PROTOCOL_VERSION_2) {
      throw new IllegalArgumentException("unknown version: " + version);
    }
    protocol = version;
  }

  /** {@code ObjectOutputStream.enableReplaceObject}. */
  public boolean enableReplace(boolean enable) {
    boolean before = replacing;
    replacing = enable;
    return before;
  }

  /** Writes a class descriptor as the stream does if the program does not override that. */
  public void writeClassDescriptor(ObjectStreamClass descriptor) throws IOException {
    types.writeContent(descriptor);
  }

  /** {@code ObjectOutputStream.drain}: ends the current block, and hands all bytes to the sink. */
  public void drain() throws IOException {
    blocks.drain();
    deliver();
  }

  /** What {@code writeInt} and its like write to. */
  public BlockWriter blocks() {
    return blocks;
  }
}
