package io.karmi.uka.engine.read;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.format.FormatReader;
import io.karmi.uka.format.Token;
import io.karmi.uka.handle.ReadHandleTable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.NotActiveException;
import java.io.ObjectInputValidation;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Reader of messages on behalf of a program: objects between others or within a {@code readObject}
 * method, and the ends of messages. {@code MessageWriter} is its mirror image.
 *
 * <p>Not thread-safe, as the JDK's streams are not.
 */
public final class MessageReader implements Continuation {
  private final InputHooks hooks;
  private final InputBuffer buffer;
  private final FormatReader format;
  private final boolean embedded;
  private final ObjectReader objects;
  private final BlockReader blocks;
  private final ReadCallbacks callbacks;
  private final TypeReader types;
  private final ReadHandleTable handles;
  private final Claims claims;
  private boolean closed;

  /**
   * Reader of one stream.
   *
   * @param embedded whether the caller frames messages itself, so that only values are read
   */
  public MessageReader(
      InputHooks hooks,
      InputBuffer buffer,
      FormatReader format,
      ReadStrategies strategies,
      boolean embedded) {
    this.hooks = hooks;
    this.buffer = buffer;
    this.format = format;
    this.embedded = embedded;
    objects = new ObjectReader(hooks, buffer, format, strategies, embedded);
    blocks = objects.blocks();
    callbacks = objects.callbacks();
    types = objects.types();
    handles = objects.handles();
    claims = objects.claims();
  }

  public ObjectReader objects() {
    return objects;
  }

  @Override
  public BlockReader blocks() {
    return blocks;
  }

  public ReadCallbacks callbacks() {
    return callbacks;
  }

  public TypeReader types() {
    return types;
  }

  /** Begins the stream's body, in which a program's primitives are in blocks. */
  public void start() {
    blocks.setBlockMode(!embedded);
  }

  /** Begins the part behind a seam, after {@code earlier} has read the part before it. */
  public void succeed(MessageReader earlier) {
    enableResolve(earlier.enableResolve(false));
    objects.succeed(earlier.objects);
    start();
  }

  /** Takes the place of a reader that has failed, with its state before the failed message. */
  public void goOnAfter(MessageReader failed) {
    enableResolve(failed.enableResolve(false));
    objects.goOnAfter(failed.objects);
    start();
  }

  /**
   * Reads one object for a program: between objects or within a method of one of its classes.
   *
   * @param unshared whether nothing else may refer to it
   */
  @Override
  public @Nullable Object readObject(boolean unshared) throws IOException, ClassNotFoundException {
    boolean within = objects.depth() > 0;
    Object leaf = within && !unshared ? objects.readLeaf() : null;
    if (leaf != null) {
      callbacks.addLeaf(leaf);
      return leaf;
    }
    ClassLoader outer = within ? callbacks.enter() : beginMessage();
    try {
      if (!callbacks.isForeign() && announcesClass()) {
        /* No call in between: each further frame makes the walk dearer. */
        objects.setCaller(ClassFinder.callingLoader(hooks));
      }
      return readOnBehalf(unshared);
    } catch (IOException e) {
      if (!within && buffer.dropFailed() && blocks.left() > 0) {
        blocks.abandon();
      }
      throw e;
    } finally {
      objects.setCaller(outer);
      if (!within) {
        endMessage();
      }
    }
  }

  /** Reads an object of one final class, or null, between objects of an embedded stream. */
  public @Nullable Object readExactly(Class<?> type) throws IOException {
    int outerHandle = objects.currentHandle();
    beginMessage();
    try {
      return objects.readExactly(type);
    } finally {
      objects.setCurrentHandle(outerHandle);
      endMessage();
    }
  }

  /** Returns the caller before the message: none. */
  private @Nullable ClassLoader beginMessage() {
    buffer.beginMessage();
    claims.begin();
    objects.beginSteps();
    callbacks.begin();
    return null;
  }

  private void endMessage() throws IOException {
    buffer.endMessage();
    if (closed) {
      objects.clear();
    }
  }

  /**
   * Whether a class of the program seems to come; then its loader is looked for while the program's
   * frame is near on the stack.
   */
  private boolean announcesClass() throws IOException {
    if (format.peekObject() >= 0) {
      /* Most classes that follow a known one are known, too. */
      return false;
    }
    if (blocks.left() > 0 || blocks.isDataEnded() || hooks.overridesResolveClass()) {
      return false;
    }
    int token = objects.passResets();
    if (format.peekObject() >= 0) {
      return false;
    }
    return token == Token.OBJECT
        ? ClassFinder.asksVm() || format.announcesClass()
        : token == Token.ARRAY && format.announcesClass();
  }

  private @Nullable Object readOnBehalf(boolean unshared)
      throws IOException, ClassNotFoundException {
    int outerHandle = objects.currentHandle();
    int following = buffer.following;
    long open = claims.open;
    long unproven = claims.unproven;
    try {
      Object object = objects.read(unshared);
      callbacks.add(object);
      if (!handles.isSettled(objects.currentHandle())) {
        checkIntact(outerHandle);
      }
      if (objects.depth() == 0) {
        objects.endSteps();
        objects.validations().run();
        VarHandle.storeStoreFence();
      }
      return object;
    } catch (StackOverflowError e) {
      boolean ofProgram = callbacks.hasRunUserCode() || !objects.validations().isEmpty();
      if (objects.depth() > 0 || ofProgram || e.getMessage() != null) {
        throw e;
      }
      InvalidObjectException refused =
          new InvalidObjectException("nested too deep for the stack of this thread");
      refused.initCause(e);
      throw refused;
    } finally {
      objects.setCurrentHandle(outerHandle);
      buffer.following = following;
      claims.restore(open, unproven);
    }
  }

  /** Refuses the current object if it is marked, and lets the outer one depend on it. */
  private void checkIntact(int outerHandle) throws ClassNotFoundException {
    handles.depend(outerHandle, objects.currentHandle());
    ClassNotFoundException failure = handles.failure(objects.currentHandle());
    if (failure != null) {
      throw failure;
    }
  }

  /** {@link java.io.ObjectInputStream#registerValidation}. */
  public void registerValidation(@Nullable ObjectInputValidation validation, int priority)
      throws NotActiveException, InvalidObjectException {
    if (objects.depth() == 0) {
      throw new NotActiveException("stream inactive");
    }
    objects.validations().add(validation, priority);
  }

  /** The objects of the message so far; see {@link ReadHandleTable#objects}. */
  public @Nullable Object[] numbered() {
    return handles.objects();
  }

  /** {@link io.karmi.uka.engine.read.cost.HashCost#checkVisits} of an object that was read. */
  public void checkVisits(Object object) throws InvalidObjectException {
    try {
      objects.hashCost().checkVisits(object);
    } catch (StackOverflowError e) {
      throw VmErrors.endless(object.getClass(), e);
    }
  }

  /** {@code ObjectInputStream.enableResolveObject}. */
  public boolean enableResolve(boolean enable) {
    return objects.completion().enableResolve(enable);
  }

  /**
   * Forgets the objects of a message and keeps the types (the second reset of paper 3.3), in
   * embedded streams; in others the reset is in the bytes.
   */
  public void resetObjects() {
    objects.resetObjects();
    callbacks.clear();
    if (blocks.isBlockMode() && embedded) {
      blocks.abandon();
    }
  }

  /**
   * Looks for all classes again that the stream has named, as the next message may be for another
   * class loader.
   */
  public void rebindTypes() throws IOException {
    objects.setCaller(null);
    types.rebind();
  }

  /** Forgets everything; if an object is being read, at its end. */
  public void close() {
    closed = true;
    if (objects.depth() == 0) {
      blocks.abandon();
      objects.clear();
    } else {
      blocks.close();
    }
  }
}
