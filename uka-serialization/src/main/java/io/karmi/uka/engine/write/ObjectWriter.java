package io.karmi.uka.engine.write;

import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.engine.CompactNumbers;
import io.karmi.uka.engine.write.KnownClasses.Known;
import io.karmi.uka.field.ContentHash;
import io.karmi.uka.format.FormatWriter;
import io.karmi.uka.handle.HandleTable;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The writing half of the engine: Java's serialization semantics, in whatever wire format.
 *
 * <p>It decides for each object whether it is null, known, replaced or new, numbers it, and hands a
 * new one to the {@link Marshaler} of its class. Everything in an object that is not a reference is
 * written by marshalers, straight into {@link #buffer()}.
 *
 * <p>{@link MessageWriter} is the stream around it, and explains block mode.
 *
 * <p>Not thread-safe, as the JDK's streams are not.
 */
public final class ObjectWriter extends WriteContext {
  /** Objects that are written within each other by recursion. */
  private static final int DEEP = 128;

  /** The most frequent signature of fields. */
  private static final String STRING = "Ljava/lang/String;";

  final WriteStrategies strategies;
  final ByteOrder order;
  private final BlockWriter blocks;
  private final boolean showsCalls;
  private final boolean compact;
  private final HandleTable handles = new HandleTable();
  private final TypeWriter types;
  private final KnownClasses classes;

  /** Null as long as no object may be replaced. */
  private @Nullable Replacements replacements;

  private int protocol = ObjectStreamConstants.PROTOCOL_VERSION_2;
  private final FailurePath path = FailurePath.begin();
  private int depth;

  /** The handle of {@link #STRING}; -1 if it is not known to have one. */
  private int stringHandle = -1;

  /** Depth down to which the fast path is allowed, unless the stream replaces; -1 if never. */
  private final int deepest = path.isKept() ? -1 : DEEP;

  /** Depth down to which the fast path is allowed now: {@link #deepest} or -1. */
  private int freeDepth = deepest;

  private @Nullable HashedBatch batch;
  private @Nullable EntryWriter entries;
  private @Nullable RunWriter runs;
  private @Nullable WriteCallbacks callbacks;

  /** As the constructor of {@link MessageWriter}. */
  public ObjectWriter(
      OutputHooks hooks,
      OutputBuffer buffer,
      FormatWriter format,
      WriteStrategies strategies,
      boolean slim) {
    super(hooks, buffer, format);
    this.strategies = strategies;
    order = format.order();
    showsCalls = hooks.overridesCalls() || path.isKept();
    compact = format.compactsNumbers() && !hooks.overridesWriteClassDescriptor();
    blocks = new BlockWriter(buffer, format);
    types = new TypeWriter(this, handles, slim);
    classes = new KnownClasses(this);
    if (!path.isKept()) {
      /* With a path each object's toString is called, which may change it. */
      handles.useContents(classes);
    }
  }

  public OutputBuffer buffer() {
    return buffer;
  }

  public boolean isLittleEndian() {
    return order == ByteOrder.LITTLE_ENDIAN;
  }

  @Override
  public FailurePath path() {
    return path;
  }

  /** Whether a program observes calls of the stream by the methods of classes. */
  public boolean showsCalls() {
    return showsCalls;
  }

  /** Whether boxes of {@code int} and {@code long} have variable length. */
  public boolean isCompact() {
    return compact;
  }

  public EntryWriter entries() {
    if (entries == null) {
      entries = new EntryWriter(this);
    }
    return entries;
  }

  public RunWriter runs() {
    if (runs == null) {
      runs = new RunWriter(this);
    }
    return runs;
  }

  public WriteCallbacks callbacks() {
    if (callbacks == null) {
      callbacks = new WriteCallbacks(this);
    }
    return callbacks;
  }

  @Override
  public int protocol() {
    return protocol;
  }

  public void setProtocol(int version) {
    protocol = version;
  }

  @Override
  public BlockWriter blocks() {
    return blocks;
  }

  public TypeWriter types() {
    return types;
  }

  public KnownClasses classes() {
    return classes;
  }

  public Replacements replacements() {
    if (replacements == null) {
      replacements = new Replacements(this);
    }
    return replacements;
  }

  boolean mayReplace(Class<?> type) {
    return replacements != null && replacements.concern(type);
  }

  /** Whether an object is being written. */
  public boolean isActive() {
    return depth > 0;
  }

  /** Whether the message has objects. */
  public boolean hasObjects() {
    return handles.size() > 0;
  }

  /** Writes an object for a program, outside block mode. */
  public void write(@Nullable Object object, boolean unshared) throws IOException {
    boolean mode = blocks.setBlockMode(false);
    int outerDepth = depth++;
    int outerLength = path.length();
    try {
      if (unshared) {
        writeValue(object, true);
      } else if (!writeAtStart(object)) {
        writeShared(object);
      }
    } finally {
      if (depth > outerDepth + 1) {
        /* As with the JDK, where a part of the object has failed, the part's block ends. */
        blocks.setBlockMode(false);
      }
      depth = outerDepth;
      path.cut(outerLength);
      blocks.setBlockMode(mode);
    }
  }

  /** Writes the reference of a field or element. For marshalers, which are never in block mode. */
  @Override
  public void writeReference(@Nullable Object object) throws IOException {
    if (object == null) {
      format.writeNull();
      return;
    }
    depth++;
    writeShared(object);
    depth--;
  }

  @Override
  public void writeExact(@Nullable Object object, Class<?> type, int hash) throws IOException {
    if (object == null) {
      format.writeNull();
      return;
    }
    Known known = classes.known(type, hash);
    if (known.isDirect() && depth < freeDepth) {
      depth++;
      writeDirect(known, object);
      depth--;
    } else if (known.isFirst() && depth < freeDepth) {
      depth++;
      writeFirst(known, object);
      depth--;
    } else {
      writeReference(object);
    }
  }

  @Override
  public void writeString(@Nullable String text) throws IOException {
    if (text == null) {
      format.writeNull();
    } else if (isWatched()) {
      writeReference(text);
    } else {
      int handle = handles.findOrAssignText(text);
      if (handle >= 0) {
        format.writeReference(handle);
      } else {
        format.writeString(text);
      }
    }
  }

  private void writeShared(@Nullable Object object) throws IOException {
    if (object instanceof String text && depth <= freeDepth) {
      writeString(text);
    } else if (object == null || depth > freeDepth || !writeDirect(object)) {
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
  public boolean usesContents() {
    return handles.usesContents() && !classes.isSuspended();
  }

  @Override
  public boolean isNew(Object object, int contentHash) throws IOException {
    int handle = handles.findOrAssign(object, contentHash);
    if (handle >= 0) {
      format.writeReference(handle);
    }
    return handle < 0;
  }

  @Override
  public int assignNew(Object[] elements, int from, Class<?> type) {
    int most = Math.min(elements.length - from, HashedBatch.MAXIMUM);
    if (isWatched() || most < HashedBatch.FEW) {
      return 0;
    }
    handles.expect(most);
    Known known = handles.usesContents() ? classes.peek(type) : null;
    ContentHash content = known == null ? null : known.content();
    if (content == null) {
      return handles.assignNew(elements, from, most, type, null);
    }
    if (batch == null) {
      batch = new HashedBatch();
    }
    return batch.assignNew(handles, content, elements, from, most, type);
  }

  @Override
  public Object newlyAssigned(int before) {
    return Objects.requireNonNull(handles.get(handles.size() - 1 - before));
  }

  @Override
  public boolean enterIfNew(Object object) throws IOException {
    if (depth >= freeDepth) {
      writeReference(object);
      return false;
    }
    if (!isNew(object)) {
      return false;
    }
    depth++;
    return true;
  }

  @Override
  public boolean enterIfNew(Object object, int contentHash) throws IOException {
    if (depth >= freeDepth) {
      writeReference(object);
      return false;
    }
    if (!isNew(object, contentHash)) {
      return false;
    }
    depth++;
    return true;
  }

  @Override
  public void beforeProgram() {
    handles.toIdentity();
  }

  @Override
  public void leave() {
    depth--;
  }

  @Override
  public boolean isWatched() {
    return depth > freeDepth;
  }

  /** Whether no hook observes the parts of the current object, nor are they nested too deep. */
  boolean isFree() {
    return depth < freeDepth;
  }

  /** Updates whether objects are observed: the stream may have begun or ceased to replace. */
  public void watch() {
    freeDepth = replacements().areOfFewClasses() ? deepest : -1;
  }

  /** Writes an object that is not replaced and that no hook observes; else returns false. */
  private boolean writeDirect(Object object) throws IOException {
    Known known = classes.known(object.getClass());
    if (known.isDirect()) {
      writeDirect(known, object);
    } else if (known.isFirst()) {
      writeFirst(known, object);
    } else {
      return false;
    }
    return true;
  }

  /**
   * Writes an object before which the stream has neither objects nor types, if no hook observes it;
   * else returns false. Its class is looked for in the table when it comes again, if it does.
   */
  private boolean writeAtStart(@Nullable Object object) throws IOException {
    if (object == null
        || hasObjects()
        || !types.isEmpty()
        || isWatched()
        || mayReplace(object.getClass())) {
      return false;
    }
    Marshaler marshaler = strategies.marshaler(object.getClass());
    if (!marshaler.answers(Marshaler.DIRECT) || !marshaler.answers(Marshaler.TYPED)) {
      return false;
    }
    writeFirst(marshaler, object);
    return true;
  }

  /** Writes the first object of a class, whose type the reader may not know. */
  private void writeFirst(Known known, Object object) throws IOException {
    /* Before the object gets its handle: generated code would look for it by its content. */
    known.openFields(this);
    classes.settle(known);
    writeFirst(known.marshaler, object);
  }

  private void writeFirst(Marshaler marshaler, Object object) throws IOException {
    /* It is new, as its class is. */
    if (handles.size() > 0 || depth > 1) {
      marshaler.write(this, object, false);
      return;
    }
    MessageSize usual = marshaler.messages;
    handles.begin(usual.objects());
    buffer.expectMessage(usual.bytes());
    int start = buffer.position;
    marshaler.write(this, object, false);
    usual.note(buffer.position - start, handles.size());
  }

  private void writeDirect(Known known, Object object) throws IOException {
    if (known.isNumber()) {
      writeNumber(known, object);
      return;
    }
    ContentHash content = handles.usesContents() ? known.content() : null;
    int handle =
        content == null
            ? handles.findOrAssign(object)
            : handles.findOrAssign(object, content.contentHash(object));
    if (handle >= 0) {
      format.writeReference(handle);
    } else {
      known.write(this, object);
    }
  }

  /** Writes an {@code Integer} or a {@code Long}: the most frequent objects of all. */
  private void writeNumber(Known known, Object object) throws IOException {
    long value;
    int hash;
    if (object instanceof Integer number) {
      value = number;
      hash = number.hashCode();
    } else {
      Long number = (Long) object;
      value = number;
      hash = number.hashCode();
    }
    int handle = handles.findOrAssignValue(object, hash);
    if (handle >= 0) {
      format.writeReference(handle);
    } else {
      buffer.writeByteAndVar(known.firstByte(), CompactNumbers.zigzag(value));
    }
  }

  /** Writes the elements of an array, which are often objects of one class. */
  public void writeReferences(@Nullable Object[] elements) throws IOException {
    if (path.isKept()) {
      writeNoting(elements);
      return;
    }
    @Nullable Known known = null;
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

  private void writeNoting(@Nullable Object[] elements) throws IOException {
    path.enterArray(elements);
    for (int i = 0; i < elements.length; i++) {
      path.enterElement(i);
      writeReference(elements[i]);
      path.leave();
    }
    path.leave();
  }

  /**
   * Writes an element of an array or collection.
   *
   * @param last result of this method for the element before, which is often of the same class
   */
  public @Nullable Known writeElement(@Nullable Object element, @Nullable Known last)
      throws IOException {
    if (element == null) {
      format.writeNull();
      return last;
    }
    if (element instanceof String text) {
      writeString(text);
      return last;
    }
    Class<?> type = element.getClass();
    Known known = last != null && last.type == type ? last : classes.known(type);
    if (known.isDirect() && depth < freeDepth) {
      depth++;
      writeDirect(known, element);
      depth--;
      return known;
    }
    if (known.isFirst() && depth < freeDepth) {
      depth++;
      writeFirst(known, element);
      depth--;
      return null;
    }
    writeReference(element);
    return null;
  }

  /** Writes an object to which nothing else refers. */
  public void writeFresh(Object object) throws IOException {
    if (!writesFresh(object)) {
      writeReference(object);
    }
  }

  /**
   * Writes an object as if nothing else referred to it, and does not keep it.
   *
   * @return false, and nothing has been written, if it would have to be kept
   */
  public boolean writesFresh(Object object) throws IOException {
    Known known = classes.known(object.getClass());
    if (!known.isDirect() || depth >= freeDepth) {
      return false;
    }
    depth++;
    handles.assign(null);
    known.write(this, object);
    depth--;
    return true;
  }

  @Override
  boolean hasNumbers(LocalClass type) {
    return strategies.marshaler(type.type).hasNumbers();
  }

  @Override
  boolean writeTogether(LocalClass level, @Nullable Object[] references) throws IOException {
    return strategies.writeReferences(this, level, references);
  }

  @Override
  public void writeUnsharedReference(@Nullable Object object) throws IOException {
    depth++;
    writeValue(object, true);
    depth--;
  }

  private void writeValue(@Nullable Object object, boolean unshared) throws IOException {
    Replacements replacements = replacements();
    Object value = replacements.prepare(object, unshared);
    if (value == null) {
      return;
    }
    Marshaler marshaler = replacements.marshalerOf(value);
    if (depth > DEEP) {
      /* Another thread may change a cycle, which would go on for ever if objects were not found. */
      beforeProgram();
    }
    if (depth > DEEP && !path.isKept()) {
      marshaler.writeDeep(this, value, unshared);
    } else {
      marshaler.write(this, value, unshared);
    }
  }

  /** Writes null or a reference if that is what the value is; else returns it. */
  public @Nullable Object writeKnown(@Nullable Object value, boolean unshared) throws IOException {
    if (value == null) {
      format.writeNull();
      return null;
    }
    if (!unshared) {
      int handle = handles.find(value);
      if (handle >= 0) {
        format.writeReference(handle);
        return null;
      }
    }
    return value;
  }

  /** The handle of an object; -1 if it had none, and has now got one. */
  public int findOrAssign(Object object) {
    return Math.max(-1, handles.findOrAssign(object));
  }

  public HandleTable handles() {
    return handles;
  }

  /** Gives the next handle to an object to which nothing else refers. */
  public void skipHandle() {
    handles.assign(null);
  }

  /** Writes a token and a type, and gives the object its handle. */
  public void open(int token, LocalClass type, Object object, boolean unshared) throws IOException {
    types.open(token, type);
    handles.assign(unshared ? null : object);
  }

  public void writeDescriptor(ObjectStreamClass descriptor, boolean unshared) throws IOException {
    types.writeDescriptor(descriptor, unshared);
  }

  public void writeString(String text, boolean unshared) throws IOException {
    handles.assign(unshared ? null : text);
    format.writeString(text);
  }

  /** Writes the number or name of a constant, behind the type. */
  public void writeConstant(LocalClass declaring, Enum<?> constant) throws IOException {
    if (!format.numbersConstants()) {
      writeString(constant.name(), false);
      return;
    }
    writeConstant(classes.known(declaring.type), constant);
  }

  /** As {@link #writeConstant(LocalClass, Enum)}, where constants are numbered. */
  public void writeConstant(Known declaring, Enum<?> constant) throws IOException {
    int number = declaring.constantNumber(constant.ordinal());
    if (number >= 0) {
      format.writeConstant(number, null);
    } else {
      format.writeConstant(~number, constant.name());
    }
  }

  /** Says that a collection with this many objects comes next. */
  public void expect(int objects) {
    if (objects >= HashedBatch.FEW) {
      handles.expect(objects);
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // handles are of the very string
  public int findOrAssignName(String signature) {
    if (signature != STRING) {
      return handles.findOrAssignText(signature);
    }
    if (stringHandle >= 0) {
      return stringHandle;
    }
    int handle = handles.findOrAssignText(signature);
    stringHandle = handle < 0 ? handles.size() - 1 : handle;
    return handle;
  }

  /** Forgets the objects of a message. */
  public void forgetObjects() {
    handles.clear();
    stringHandle = -1;
    classes.endMessage();
    if (replacements != null) {
      replacements.clear();
    }
    if (runs != null) {
      runs.clear();
    }
  }

  /** Forgets which types the reader knows. */
  public void forgetTypes() {
    types.clear();
    classes.clear();
  }

  /** Forgets an incomplete message and its types. */
  public void discardMessage() {
    depth = 0;
    callbacks().clear();
    forgetObjects();
    types.discardMessage();
    classes.clear();
  }
}
