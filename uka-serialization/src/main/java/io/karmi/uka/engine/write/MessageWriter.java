package io.karmi.uka.engine.write;

import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.format.FormatWriter;
import io.karmi.uka.format.Token;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import org.jspecify.annotations.Nullable;

/**
 * Writer of messages on behalf of a program: objects between others or within a {@code writeObject}
 * method, and the ends of messages. {@code MessageReader} is its mirror image.
 *
 * <p>Between objects and in methods of a program's classes the stream is in block mode: bytes
 * gather in blocks. {@link #writeObject} leaves block mode for one object.
 *
 * <p>Not thread-safe, as the JDK's streams are not.
 */
public final class MessageWriter {
  private final boolean embedded;
  private final ObjectWriter objects;

  /**
   * Writer of one stream.
   *
   * @param slim whether classes are named, not described (paper 3.2), if the format can do that
   * @param embedded whether the caller frames messages itself, so that only values are written, and
   *     no failures
   */
  public MessageWriter(
      OutputHooks hooks,
      OutputBuffer buffer,
      FormatWriter format,
      WriteStrategies strategies,
      boolean slim,
      boolean embedded) {
    this.embedded = embedded;
    objects = new ObjectWriter(hooks, buffer, format, strategies, slim);
  }

  public ObjectWriter objects() {
    return objects;
  }

  public BlockWriter blocks() {
    return objects.blocks();
  }

  public WriteCallbacks callbacks() {
    return objects.callbacks();
  }

  public TypeWriter types() {
    return objects.types();
  }

  public FormatWriter format() {
    return objects.format();
  }

  /** Begins the stream's body, in which a program's primitives are in blocks. */
  public void start() throws IOException {
    blocks().setBlockMode(!embedded);
  }

  /**
   * Writes one object for a program: between objects or within a method of one of its classes.
   *
   * @param unshared whether nothing else in the message may refer to it
   */
  public void writeObject(@Nullable Object object, boolean unshared) throws IOException {
    if (objects.isActive()) {
      objects.write(object, unshared);
      return;
    }
    blocks().setTopLevel(false);
    try {
      objects.write(object, unshared);
    } catch (IOException e) {
      writeFailure(e);
      throw e;
    } finally {
      blocks().setTopLevel(true);
      deliver();
    }
  }

  /** Writes the exception that has ended the writing of an object. */
  private void writeFailure(IOException failure) throws IOException {
    if (embedded) {
      return;
    }
    clear();
    boolean mode = blocks().setBlockMode(false);
    try {
      format().writeToken(Token.EXCEPTION);
      objects.write(failure, false);
      clear();
    } finally {
      blocks().setBlockMode(mode);
    }
  }

  /** Delivers what has been written, unless the owner of the buffer does that. */
  private void deliver() throws IOException {
    if (!embedded) {
      objects.buffer.deliver();
    }
  }

  /** {@code ObjectOutputStream.drain}: ends the current block and delivers all bytes. */
  public void drain() throws IOException {
    blocks().drain();
    deliver();
  }

  /** {@link ObjectOutputStream#reset}: objects and types are forgotten on both sides. */
  public void reset() throws IOException {
    reset(Token.RESET);
  }

  /** Forgets objects on both sides and keeps types (the second reset of paper 3.3). */
  public void resetObjects() throws IOException {
    if (embedded) {
      checkInactive();
      objects.forgetObjects();
      types().beginMessage();
    } else {
      reset(format().numbersTypesAsObjects() ? Token.RESET : Token.RESET_OBJECTS);
    }
  }

  private void reset(int token) throws IOException {
    checkInactive();
    boolean mode = blocks().setBlockMode(false);
    format().writeToken(token);
    objects.forgetObjects();
    if (token == Token.RESET) {
      objects.forgetTypes();
    }
    blocks().setBlockMode(mode);
    deliver();
  }

  private void checkInactive() throws IOException {
    if (objects.isActive()) {
      throw new IOException("stream active");
    }
  }

  /**
   * Takes back the type numbers since {@link #resetObjects}, of a message that will not be sent,
   * and forgets its objects.
   */
  public void discardMessage() throws IOException {
    blocks().setBlockMode(false);
    objects.discardMessage();
  }

  /** Forgets objects and types without a reset: the stream has been closed. */
  public void clear() {
    objects.forgetObjects();
    objects.forgetTypes();
  }

  /** {@link ObjectOutputStream#useProtocolVersion}. */
  public void useProtocolVersion(int version) {
    if (objects.hasObjects()) {
      throw new IllegalStateException("stream non-empty");
    }
    if (version != ObjectStreamConstants.PROTOCOL_VERSION_1
        && version != ObjectStreamConstants.PROTOCOL_VERSION_2) {
      throw new IllegalArgumentException("unknown version: " + version);
    }
    objects.setProtocol(version);
  }

  /** {@code ObjectOutputStream.enableReplaceObject}. */
  public boolean enableReplace(boolean enable) {
    return objects.replacements().enable(enable);
  }
}
