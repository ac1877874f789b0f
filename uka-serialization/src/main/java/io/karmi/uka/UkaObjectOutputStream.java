package io.karmi.uka;

import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.codec.PlatformCodecs;
import io.karmi.uka.codec.Strategies;
import io.karmi.uka.engine.write.MessageWriter;
import io.karmi.uka.engine.write.OutputHooks;
import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.format.FormatWriter;
import io.karmi.uka.format.FrameOutput;
import io.karmi.uka.format.jdk.JdkFormatWriter;
import io.karmi.uka.format.uka.UkaFormatWriter;
import io.karmi.uka.platform.Permitted;
import java.io.IOException;
import java.io.NotActiveException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@link ObjectOutputStream} with the same semantics and another wire format.
 *
 * <p>When {@link #writeObject} returns, the object's bytes are in the underlying stream, as with
 * the JDK's; small objects get there in one {@code write}. A long-lived connection calls {@link
 * #resetObjects} between messages, so that class descriptions cross once (paper 3.3).
 *
 * <p>An <em>embedded</em> stream writes into a buffer of its caller, with no header and no framing:
 * see {@link #UkaObjectOutputStream(OutputBuffer)}.
 *
 * <p>Not thread-safe, as the JDK's is not.
 */
public class UkaObjectOutputStream extends ObjectOutputStream {
  private static final int JDK_HEADER = JdkFormatWriter.HEADER;

  private final @Nullable OutputStream out;
  private final OutputBuffer buffer;
  private final OutputOverrides overrides;
  private final boolean slim;
  private MessageWriter writer;
  private boolean headerOpen;

  /**
   * Writes a header to {@code out}, and later what is written to this stream, in the format of
   * {@code uka.format}, or else in UKA's.
   */
  public UkaObjectOutputStream(OutputStream out) throws IOException {
    this(out, FirstUse.options(UkaOptions.Format.UKA));
  }

  /** Writes a header to {@code out}, and later what is written to this stream. */
  public UkaObjectOutputStream(OutputStream out, UkaOptions options) throws IOException {
    this(out, options, UkaObjectOutputStream.class);
  }

  /**
   * Writes a header to {@code out}, and later what is written to this stream.
   *
   * @param own the class of the library's whose constructor this is
   */
  @SuppressWarnings("this-escape") // as java.io's: a subclass may have a header of its own
  UkaObjectOutputStream(OutputStream out, UkaOptions options, Class<?> own) throws IOException {
    super();
    FirstUse.prepare();
    this.out = out;
    overrides = OutputOverrides.of(getClass(), own);
    FrameOutput frames = new FrameOutput(out);
    buffer = frames;
    slim = isSlim(options);
    writer = newWriter(options.format(), false);
    headerOpen = true;
    if (getClass() == own) {
      frames.deliverHeader(writer.format().header());
    } else {
      writeStreamHeader();
    }
    endHeader(frames);
    writer.start();
  }

  /**
   * An embedded stream: values go into {@code buffer} as they are, for a caller that frames
   * messages itself.
   *
   * <p>The caller may write to the buffer between objects. It calls {@link #resetObjects} before
   * each message, and {@link #discardMessage} for one that it does not send. A failure is not
   * recorded in the bytes.
   */
  public UkaObjectOutputStream(OutputBuffer buffer) throws IOException {
    this(buffer, FirstUse.options(UkaOptions.Format.UKA));
  }

  /**
   * An embedded stream in the UKA format, which is the only one for connections; the other options
   * count.
   */
  @SuppressWarnings("this-escape")
  public UkaObjectOutputStream(OutputBuffer buffer, UkaOptions options) throws IOException {
    super();
    FirstUse.prepare();
    out = null;
    this.buffer = Objects.requireNonNull(buffer);
    overrides = OutputOverrides.of(getClass(), UkaObjectOutputStream.class);
    slim = isSlim(options);
    writer = newWriter(UkaOptions.Format.UKA, true);
    writer.start();
  }

  /** For subclasses that do everything themselves: {@link #writeObjectOverride} is theirs. */
  @SuppressWarnings("NullAway") // they use none of what is missing then
  protected UkaObjectOutputStream() throws IOException {
    super();
    Permitted.checkSubclassImplementation();
    out = null;
    buffer = null;
    overrides = null;
    slim = false;
  }

  /** Whether types are slim: not for a program that describes or annotates each class. */
  private boolean isSlim(UkaOptions options) {
    return options.types() == UkaOptions.Types.SLIM
        && !overrides.writeClassDescriptor()
        && !overrides.annotateClass();
  }

  private MessageWriter newWriter(UkaOptions.Format format, boolean embedded) {
    return new MessageWriter(
        new Hooks(), buffer, newFormat(format), Strategies.INSTANCE, slim, embedded);
  }

  private FormatWriter newFormat(UkaOptions.Format format) {
    return format == UkaOptions.Format.JDK
        ? new JdkFormatWriter(buffer)
        : new UkaFormatWriter(buffer, PlatformCodecs.DESCRIPTIONS);
  }

  /** Ends the header. If a program has written the JDK's, the body is in the JDK's format. */
  private void endHeader(FrameOutput frames) throws IOException {
    if (!headerOpen) {
      return;
    }
    headerOpen = false;
    boolean jdk = writer.format().header() == JDK_HEADER;
    if (!jdk && frames.pendingInt() == JDK_HEADER) {
      boolean replacing = writer.enableReplace(false);
      writer = newWriter(UkaOptions.Format.JDK, false);
      writer.enableReplace(replacing);
      jdk = true;
    }
    if (jdk) {
      frames.deliver();
    } else {
      frames.beginFrames();
    }
  }

  /** Whether the stream writes the JDK's format. */
  final boolean isJdkFormat() {
    return writer.format().header() == JDK_HEADER;
  }

  /* For marshalers. */

  /** The buffer to which a marshaler stores primitives (paper 3.4b). */
  public final OutputBuffer buffer() {
    return buffer;
  }

  /**
   * Writes what a field refers to: null, a handle, or a new object. For marshalers, not for
   * programs.
   */
  public void writeReference(@Nullable Object object) throws IOException {
    writer.objects().writeReference(object);
  }

  /* For connections. */

  /**
   * Starts numbering objects afresh, and keeps the type numbers (the second reset of paper section
   * 3.3).
   *
   * <p>Call it between two messages on one connection: objects are sent again with their current
   * state, class descriptions are not. The reader of an embedded stream has to call its own; else
   * it learns of it from the bytes.
   *
   * @throws IOException inside a {@code writeObject} method
   */
  public void resetObjects() throws IOException {
    writer.resetObjects();
  }

  /**
   * Takes back what an embedded message that will not be sent has told the reader about types. The
   * caller resets the buffer's position.
   */
  public void discardMessage() throws IOException {
    writer.discardMessage();
  }

  /* What java.io's stream does. */

  @Override
  protected void writeObjectOverride(@Nullable Object object) throws IOException {
    if (writer != null) {
      FirstUse.prepare();
      writer.writeObject(object, false);
    }
  }

  @Override
  public void writeUnshared(@Nullable Object object) throws IOException {
    writer.writeObject(object, true);
  }

  @Override
  public void useProtocolVersion(int version) throws IOException {
    writer.useProtocolVersion(version);
  }

  @Override
  public void defaultWriteObject() throws IOException {
    requireWriter().callbacks().defaultWriteObject();
  }

  @Override
  public PutField putFields() throws IOException {
    return requireWriter().callbacks().putFields();
  }

  @Override
  public void writeFields() throws IOException {
    if (writer == null) {
      throw new NotActiveException("no current PutField object");
    }
    writer.callbacks().writeFields();
  }

  private MessageWriter requireWriter() throws NotActiveException {
    if (writer == null) {
      throw new NotActiveException("not in call to writeObject");
    }
    return writer;
  }

  @Override
  public void reset() throws IOException {
    if (headerOpen) {
      endHeader((FrameOutput) buffer);
    }
    writer.reset();
  }

  @Override
  protected void annotateClass(Class<?> type) throws IOException {
    super.annotateClass(type);
  }

  @Override
  protected void annotateProxyClass(Class<?> type) throws IOException {
    super.annotateProxyClass(type);
  }

  @Override
  protected @Nullable Object replaceObject(@Nullable Object object) throws IOException {
    return super.replaceObject(object);
  }

  /**
   * Whether {@link #replaceObject} may return something else for an object of this class; asked now
   * and then. A stream that replaces few classes overrides this: objects of the others are written
   * as if nothing were replaced, unless strings may be.
   */
  protected boolean mayReplace(Class<?> type) {
    return true;
  }

  @Override
  protected boolean enableReplaceObject(boolean enable) {
    boolean before =
        super.enableReplaceObject(enable); // a caller without the permission is refused there
    return writer == null ? before : writer.enableReplace(enable);
  }

  @Override
  protected void writeStreamHeader() throws IOException {
    writer.blocks().writeInt(writer.format().header());
  }

  @Override
  protected void writeClassDescriptor(ObjectStreamClass descriptor) throws IOException {
    writer.types().writeContent(descriptor);
  }

  @Override
  protected void drain() throws IOException {
    writer.drain();
  }

  @Override
  public void flush() throws IOException {
    writer.drain();
    if (out != null) {
      out.flush();
    }
  }

  @Override
  public void close() throws IOException {
    flush();
    writer.clear();
    if (out != null) {
      out.flush();
      out.close();
    }
  }

  @Override
  public void write(int value) throws IOException {
    writer.blocks().write(value);
  }

  @Override
  public void write(byte[] bytes) throws IOException {
    writer.blocks().write(bytes, 0, bytes.length);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.requireNonNull(bytes);
    Objects.checkFromIndexSize(offset, length, bytes.length);
    writer.blocks().write(bytes, offset, length);
  }

  @Override
  public void writeBoolean(boolean value) throws IOException {
    writer.blocks().write(value ? 1 : 0);
  }

  @Override
  public void writeByte(int value) throws IOException {
    writer.blocks().write(value);
  }

  @Override
  public void writeShort(int value) throws IOException {
    writer.blocks().writeShort(value);
  }

  @Override
  public void writeChar(int value) throws IOException {
    writer.blocks().writeShort(value);
  }

  @Override
  public void writeInt(int value) throws IOException {
    writer.blocks().writeInt(value);
  }

  @Override
  public void writeLong(long value) throws IOException {
    writer.blocks().writeLong(value);
  }

  @Override
  public void writeFloat(float value) throws IOException {
    writer.blocks().writeInt(Float.floatToIntBits(value));
  }

  @Override
  public void writeDouble(double value) throws IOException {
    writer.blocks().writeLong(Double.doubleToLongBits(value));
  }

  @Override
  public void writeBytes(String text) throws IOException {
    writer.blocks().writeBytes(text);
  }

  @Override
  public void writeChars(String text) throws IOException {
    writer.blocks().writeChars(text);
  }

  @Override
  public void writeUTF(String text) throws IOException {
    writer.blocks().writeUtf(text);
  }

  /** Calls of what subclasses may override, for the engine. */
  private final class Hooks implements OutputHooks {
    @Override
    public ObjectOutputStream stream() {
      return UkaObjectOutputStream.this;
    }

    @Override
    public boolean overridesCalls() {
      return overrides.calls();
    }

    @Override
    public boolean overridesAnnotate() {
      return overrides.annotateClass() || overrides.annotateProxyClass();
    }

    @Override
    public boolean overridesWriteClassDescriptor() {
      return overrides.writeClassDescriptor();
    }

    @Override
    public @Nullable Object replaceObject(@Nullable Object object) throws IOException {
      return UkaObjectOutputStream.this.replaceObject(object);
    }

    @Override
    public boolean mayReplace(Class<?> type) {
      return UkaObjectOutputStream.this.mayReplace(type);
    }

    @Override
    public void annotateClass(Class<?> type) throws IOException {
      UkaObjectOutputStream.this.annotateClass(type);
    }

    @Override
    public void annotateProxyClass(Class<?> type) throws IOException {
      UkaObjectOutputStream.this.annotateProxyClass(type);
    }

    @Override
    public void writeClassDescriptor(ObjectStreamClass descriptor) throws IOException {
      UkaObjectOutputStream.this.writeClassDescriptor(descriptor);
    }

    @Override
    public @Nullable ObjectAccess awareAccess(Class<?> type) {
      return AwareClass.access(type);
    }
  }
}
