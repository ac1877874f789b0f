package io.karmi.uka;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.codec.PlatformCodecs;
import io.karmi.uka.codec.Strategies;
import io.karmi.uka.engine.read.BlockReader;
import io.karmi.uka.engine.read.ClassFinder;
import io.karmi.uka.engine.read.InputHooks;
import io.karmi.uka.engine.read.MessageReader;
import io.karmi.uka.field.FieldSource;
import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.format.FormatReader;
import io.karmi.uka.format.FrameInput;
import io.karmi.uka.format.jdk.JdkFormatReader;
import io.karmi.uka.format.jdk.JdkFormatWriter;
import io.karmi.uka.format.uka.UkaFormatReader;
import io.karmi.uka.platform.FilterFactory;
import io.karmi.uka.platform.InternalVm;
import io.karmi.uka.platform.Permitted;
import io.karmi.uka.platform.StreamGuards;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidObjectException;
import java.io.NotActiveException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectInputValidation;
import java.io.ObjectStreamClass;
import java.io.StreamCorruptedException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@link ObjectInputStream} with the same semantics, for what {@link UkaObjectOutputStream} writes.
 *
 * <p>The format is known from the four bytes that a stream begins with. No byte beyond what is
 * asked for is taken from the underlying stream, except that a message is taken as a whole.
 *
 * <p>Not thread-safe, as the JDK's is not.
 */
public class UkaObjectInputStream extends ObjectInputStream {
  private static final int JDK_HEADER = JdkFormatWriter.HEADER;
  private static final String[] NO_INTERFACES = {};
  private static final int UKA_HEADER = 'U' << 24 | 'K' << 16 | 'A' << 8 | 1;

  private final @Nullable InputStream in;
  private final InputBuffer buffer;
  private final Overrides overrides;
  private final InputHooks hooks = new Hooks();
  private UkaOptions.@Nullable Format format;

  /** The program's choice of types; null if the system properties decide. */
  private final UkaOptions.@Nullable Types types;

  private MessageReader reader;

  @SuppressWarnings("NullAway.Init") // set with the reader
  private BlockReader blocks;

  private boolean filterFixed;

  /** Whether the JDK's methods are called, as other agents may have hooked them. */
  private boolean guarded;

  /** Reads the header from {@code in}. */
  public UkaObjectInputStream(InputStream in) throws IOException {
    this(in, null);
  }

  /**
   * Reads the header from {@code in}.
   *
   * @param options null for those that the system properties say
   */
  public UkaObjectInputStream(InputStream in, @Nullable UkaOptions options) throws IOException {
    this(in, options, UkaOptions.Format.UKA, UkaObjectInputStream.class);
  }

  /**
   * Reads the header from {@code in}.
   *
   * @param options null for those that the system properties say
   * @param otherwise the format without a header, if neither options nor properties name one
   * @param own the class of the library's whose constructor this is
   */
  @SuppressWarnings("this-escape") // as java.io's: a subclass may have a header of its own
  UkaObjectInputStream(
      InputStream in, @Nullable UkaOptions options, UkaOptions.Format otherwise, Class<?> own)
      throws IOException {
    super();
    FirstUse.prepare();
    this.in = Objects.requireNonNull(in);
    types = options == null ? null : options.types();
    overrides = Overrides.of(getClass(), own);
    FrameInput frames = new FrameInput(in);
    buffer = frames;
    if (overrides.readStreamHeader()) {
      format = (options == null ? UkaOptions.fromSystemProperties(otherwise) : options).format();
      reader = newReader(format);
      readStreamHeader();
      if (format != UkaOptions.Format.JDK && frames.firstInt() == JDK_HEADER) {
        changeFormat(UkaOptions.Format.JDK);
      }
    } else {
      format = formatOf(Integer.reverseBytes(buffer.readInt()));
      reader = newReader(format);
    }
    if (format != UkaOptions.Format.JDK) {
      frames.beginFrames();
    }
    reader.start();
  }

  /**
   * An embedded stream: values are read from {@code buffer} as they are, for a caller that frames
   * messages itself. It calls {@link #resetObjects} before each message, as the writer has done.
   * {@link ConnectionInputStream} can do more. Classes that a message describes behind the place
   * where its reading failed stay unknown, so that a later message that uses one fails as well.
   */
  @SuppressWarnings("this-escape")
  public UkaObjectInputStream(InputBuffer buffer) throws IOException {
    super();
    FirstUse.prepare();
    in = null;
    types = null;
    overrides = Overrides.of(getClass(), UkaObjectInputStream.class);
    this.buffer = Objects.requireNonNull(buffer);
    reader = newReader(true);
    reader.start();
  }

  /** A stream in the JDK's format, from its header on, which a buffer of the caller has. */
  @SuppressWarnings("this-escape")
  UkaObjectInputStream(InputBuffer buffer, Class<?> own) throws IOException {
    super();
    FirstUse.prepare();
    in = null;
    types = null;
    overrides = Overrides.of(getClass(), own);
    this.buffer = Objects.requireNonNull(buffer);
    format = formatOf(Integer.reverseBytes(buffer.readInt()));
    if (format != UkaOptions.Format.JDK) {
      throw new StreamCorruptedException("not in the JDK's format");
    }
    reader = newReader(format);
    reader.start();
  }

  /** For subclasses that do everything themselves: {@link #readObjectOverride} is theirs. */
  @SuppressWarnings("NullAway") // they use none of what is missing then
  protected UkaObjectInputStream() throws IOException {
    super();
    Permitted.checkSubclassImplementation();
    in = null;
    types = null;
    buffer = null;
    overrides = Overrides.NONE;
  }

  /** Whether the header was that of the JDK's format. */
  final boolean isJdkFormat() {
    return format == UkaOptions.Format.JDK;
  }

  private MessageReader newReader(boolean embedded) {
    return newReader(new UkaFormatReader(buffer, PlatformCodecs.DESCRIPTIONS), embedded);
  }

  private MessageReader newReader(UkaOptions.Format of) {
    return of == UkaOptions.Format.JDK
        ? newReader(new JdkFormatReader(buffer), false)
        : newReader(false);
  }

  private MessageReader newReader(FormatReader from, boolean embedded) {
    MessageReader made = new MessageReader(hooks, buffer, from, Strategies.INSTANCE, embedded);
    blocks = made.blocks();
    return made;
  }

  /* For unmarshalling constructors. */

  /** The buffer from which an unmarshalling constructor loads primitives (paper 3.4b). */
  public final InputBuffer buffer() {
    return buffer;
  }

  /** Gives the object under construction its handle. */
  public void register(Object object) {
    reader.objects().register(object);
  }

  /**
   * Reads what a field refers to. For unmarshalling constructors, not for programs.
   *
   * @return the object; null also if its class is missing, in which case the object under
   *     construction is not handed out
   */
  public @Nullable Object readReference() throws IOException {
    return reader.objects().readReference();
  }

  /**
   * Checks that a value fits a field.
   *
   * @param object whose field it is
   * @throws ClassCastException naming the value's class, the field, its type and the object's class
   */
  public <T> @Nullable T cast(
      @Nullable Object value, Class<T> fieldType, Class<?> declaring, String field, Object object) {
    FieldSource.check(value, fieldType, declaring, field, object);
    return fieldType.cast(value);
  }

  /* For embedded streams. */

  /** Forgets the objects of a message, and keeps the types, in an embedded stream. */
  public void resetObjects() {
    reader.resetObjects();
  }

  /**
   * The objects of the message that was read, in the order of their numbers, which is the same for
   * all readers of its bytes; null for those that were written unshared.
   */
  protected final @Nullable Object[] numberedObjects() {
    return reader.numbered();
  }

  /** Whether {@code resolveClass} sees versions of arrays, whose classes are looked for before. */
  boolean showsArrayVersions() {
    return true;
  }

  final MessageReader reader() {
    return reader;
  }

  /** Goes on with a fresh reader that knows what the failed one has learnt about classes. */
  final MessageReader renewReader() {
    MessageReader fresh = newReader(true);
    fresh.goOnAfter(reader);
    reader = fresh;
    return fresh;
  }

  /** The filter of the next message, at its first object. */
  @Nullable ObjectInputFilter filterOfMessage() {
    return fixFilter();
  }

  /* What java.io's stream does. */

  @Override
  protected @Nullable Object readObjectOverride() throws IOException, ClassNotFoundException {
    FirstUse.prepare();
    guarded = StreamGuards.mayBePresent();
    return reader == null ? null : reader.readObject(false);
  }

  @Override
  public @Nullable Object readUnshared() throws IOException, ClassNotFoundException {
    guarded = StreamGuards.mayBePresent();
    return reader.readObject(true);
  }

  @Override
  public void defaultReadObject() throws IOException, ClassNotFoundException {
    requireReader().callbacks().defaultReadObject();
  }

  @Override
  public GetField readFields() throws IOException, ClassNotFoundException {
    return requireReader().callbacks().readFields();
  }

  private MessageReader requireReader() throws NotActiveException {
    if (reader == null) {
      throw new NotActiveException("not in call to readObject");
    }
    return reader;
  }

  @Override
  public void registerValidation(@Nullable ObjectInputValidation validation, int priority)
      throws NotActiveException, InvalidObjectException {
    if (reader == null) {
      throw new NotActiveException("stream inactive");
    }
    reader.registerValidation(validation, priority);
  }

  @Override
  protected Class<?> resolveClass(ObjectStreamClass descriptor)
      throws IOException, ClassNotFoundException {
    String name = descriptor.getName();
    return guarded
        ? ClassFinder.findGuarded(
            loader -> ClassFinder.find(name, loader), () -> super.resolveClass(descriptor))
        : find(name);
  }

  private Class<?> find(String name) throws IOException, ClassNotFoundException {
    Class<?> known = ClassFinder.core(name, null);
    return known != null ? known : ClassFinder.find(name, latestLoader(overrides.resolveClass()));
  }

  @Override
  protected Class<?> resolveProxyClass(String[] interfaces)
      throws IOException, ClassNotFoundException {
    return guarded
        ? ClassFinder.findGuarded(
            loader -> ClassFinder.findProxy(interfaces, loader),
            () -> super.resolveProxyClass(interfaces))
        : ClassFinder.findProxy(interfaces, latestLoader(overrides.resolveProxyClass()));
  }

  /**
   * The loader of the latest user code. It is the program's method that calls, if it has one, and
   * not an unmarshalling constructor.
   */
  private ClassLoader latestLoader(Overrides.Owner method)
      throws IOException, ClassNotFoundException {
    return method == Overrides.Owner.PROGRAM
        ? ClassFinder.callingLoader(hooks)
        : ClassFinder.latestUserLoader();
  }

  @Override
  protected @Nullable Object resolveObject(@Nullable Object object) throws IOException {
    return super.resolveObject(object);
  }

  @Override
  protected boolean enableResolveObject(boolean enable) {
    boolean before =
        super.enableResolveObject(enable); // a caller without the permission is refused there
    return reader == null ? before : reader.enableResolve(enable);
  }

  @Override
  protected void readStreamHeader() throws IOException, StreamCorruptedException {
    UkaOptions.Format found = formatOf(blocks.readInt());
    if (found != format) {
      changeFormat(found);
    }
  }

  private static UkaOptions.Format formatOf(int header) throws StreamCorruptedException {
    if (header == UKA_HEADER) {
      return UkaOptions.Format.UKA;
    } else if (header == JDK_HEADER) {
      return UkaOptions.Format.JDK;
    }
    throw new StreamCorruptedException(String.format("invalid stream header: %08X", header));
  }

  /** Goes on in another format than the one in which the header has been read so far. */
  private void changeFormat(UkaOptions.Format found) {
    MessageReader earlier = reader;
    format = found;
    reader = newReader(found);
    reader.enableResolve(earlier.enableResolve(false));
  }

  @Override
  protected ObjectStreamClass readClassDescriptor() throws IOException, ClassNotFoundException {
    return reader.types().readUnbound();
  }

  @Override
  public int read() throws IOException {
    return blocks.read();
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    Objects.requireNonNull(bytes);
    Objects.checkFromIndexSize(offset, length, bytes.length);
    return blocks.read(bytes, offset, length);
  }

  @Override
  public int available() throws IOException {
    return blocks.available();
  }

  @Override
  public void close() throws IOException {
    reader.close();
    if (in != null) {
      in.close();
    }
  }

  @Override
  public boolean readBoolean() throws IOException {
    return blocks.readUnsignedByte() != 0;
  }

  @Override
  public byte readByte() throws IOException {
    return (byte) blocks.readUnsignedByte();
  }

  @Override
  public int readUnsignedByte() throws IOException {
    return blocks.readUnsignedByte();
  }

  @Override
  public char readChar() throws IOException {
    return (char) blocks.readUnsignedShort();
  }

  @Override
  public short readShort() throws IOException {
    return (short) blocks.readUnsignedShort();
  }

  @Override
  public int readUnsignedShort() throws IOException {
    return blocks.readUnsignedShort();
  }

  @Override
  public int readInt() throws IOException {
    return reader.callbacks().passInt(blocks.readInt());
  }

  @Override
  public long readLong() throws IOException {
    return blocks.readLong();
  }

  @Override
  public float readFloat() throws IOException {
    return Float.intBitsToFloat(blocks.readInt());
  }

  @Override
  public double readDouble() throws IOException {
    return Double.longBitsToDouble(blocks.readLong());
  }

  @Override
  public void readFully(byte[] bytes) throws IOException {
    blocks.readFully(bytes, 0, bytes.length);
  }

  @Override
  public void readFully(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    blocks.readFully(bytes, offset, length);
  }

  @Override
  public int skipBytes(int count) throws IOException {
    return blocks.skipBytes(count);
  }

  @Override
  @Deprecated
  public @Nullable String readLine() throws IOException {
    return blocks.readLine();
  }

  @Override
  public String readUTF() throws IOException {
    return blocks.readUtf();
  }

  /**
   * Fixes the filter, as the JDK refuses another one once an object has been read. The JDK's method
   * refuses a second filter, so the first one is set again, unless the program has a filter
   * factory, which would notice. Then a filter that is set late counts from there on.
   */
  private @Nullable ObjectInputFilter fixFilter() {
    ObjectInputFilter filter = getObjectInputFilter();
    if (!filterFixed && !InputHooks.FILTER_MAY_BE_SET_LATE) {
      filterFixed = true;
      if (FilterFactory.isOfJdk()) {
        try {
          if (Permitted.isNeeded()) {
            Permitted.get(() -> setAgain(filter));
          } else {
            setObjectInputFilter(filter);
          }
        } catch (IllegalStateException e) {
          /* The program has set one itself. */
          return filter;
        }
      }
    }
    return filter;
  }

  private @Nullable ObjectInputFilter setAgain(@Nullable ObjectInputFilter filter) {
    setObjectInputFilter(filter);
    return filter;
  }

  /** Calls of what subclasses may override, for the engine. */
  private final class Hooks implements InputHooks {
    @Override
    public ObjectInputStream stream() {
      return UkaObjectInputStream.this;
    }

    @Override
    public MessageReader passSeam() throws IOException {
      ((FrameInput) buffer).beginFrames();
      MessageReader behind = newReader(false);
      behind.succeed(reader);
      reader = behind;
      return behind;
    }

    @Override
    public boolean overridesCalls() {
      return overrides.calls();
    }

    @Override
    public boolean overridesReadClassDescriptor() {
      return overrides.readClassDescriptor();
    }

    @Override
    public ObjectStreamClass readClassDescriptor() throws IOException, ClassNotFoundException {
      return UkaObjectInputStream.this.readClassDescriptor();
    }

    @Override
    public boolean acceptsSlimTypes() {
      return types == null ? !UkaOptions.wantsFullTypes() : types == UkaOptions.Types.SLIM;
    }

    @Override
    public boolean overridesResolveClass() {
      return guarded || overrides.resolveClass() != Overrides.Owner.LIBRARY;
    }

    @Override
    public boolean overridesResolveProxyClass() {
      return guarded || overrides.resolveProxyClass() != Overrides.Owner.LIBRARY;
    }

    @Override
    public boolean showsArrayVersions() {
      return UkaObjectInputStream.this.showsArrayVersions();
    }

    @Override
    public Class<?> resolveClass(ObjectStreamClass descriptor)
        throws IOException, ClassNotFoundException {
      return UkaObjectInputStream.this.resolveClass(descriptor);
    }

    @Override
    public Class<?> resolveProxyClass(String[] interfaces)
        throws IOException, ClassNotFoundException {
      return UkaObjectInputStream.this.resolveProxyClass(interfaces);
    }

    @Override
    public ClassLoader latestLoaderOfVm() throws IOException, ClassNotFoundException {
      ClassLoader loader = InternalVm.latestLoader();
      if (loader != null) {
        return loader;
      }
      return guarded
          ? ClassFinder.latestUserLoader()
          : UkaObjectInputStream.super.resolveProxyClass(NO_INTERFACES).getClassLoader();
    }

    @Override
    public @Nullable Object resolveObject(@Nullable Object object) throws IOException {
      return UkaObjectInputStream.this.resolveObject(object);
    }

    @Override
    public @Nullable ObjectInputFilter fixFilter() {
      return UkaObjectInputStream.this.filterOfMessage();
    }

    @Override
    public boolean isFilterFinal() {
      return FilterFactory.isOfJdk();
    }

    @Override
    public @Nullable ObjectAccess awareAccess(Class<?> type) {
      return AwareClass.access(type);
    }
  }
}
