package io.karmi.uka.engine.write;

import io.karmi.uka.engine.CallbackContext;
import io.karmi.uka.engine.CallbackContexts;
import io.karmi.uka.format.Token;
import io.karmi.uka.type.LocalClass;
import java.io.Externalizable;
import java.io.IOException;
import java.io.NotActiveException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import org.jspecify.annotations.Nullable;

/**
 * Calls of the methods of classes that take part in writing ({@code writeObject}, {@code
 * writeExternal}), and what these may call ({@code defaultWriteObject}, {@code putFields}). {@code
 * ReadCallbacks} is its mirror image.
 *
 * <p>While such a method runs, the stream is in block mode.
 */
public final class WriteCallbacks {
  private final WriteContext writer;
  private final BlockWriter blocks;
  private final CallbackContexts<LocalClass> contexts = new CallbackContexts<>();
  private @Nullable PutFields putFields;

  public WriteCallbacks(WriteContext writer) {
    this.writer = writer;
    blocks = writer.blocks();
  }

  /** Forgets interrupted calls. */
  public void clear() {
    contexts.clear();
    putFields = null;
  }

  /** Runs the {@code writeObject} method of one class of the object's hierarchy. */
  public void writeCustom(Object object, LocalClass level) throws IOException {
    PutFields outerFields = takePutFields();
    int outer = contexts.begin(object, level);
    writer.path().enterWriteObject(level.name);
    writer.beforeProgram();
    try {
      blocks.setBlockMode(true);
      level.hooks().writeObject(object, writer.hooks.stream());
      endData();
    } finally {
      contexts.end(outer);
    }
    writer.path().leave();
    restore(outerFields);
  }

  /** Runs {@code writeExternal}. */
  public void writeExternal(Externalizable object) throws IOException {
    PutFields outerFields = takePutFields();
    int outer = contexts.beginWithout();
    writer.path().enterWriteExternal();
    writer.beforeProgram();
    try {
      if (writer.protocol() == ObjectStreamConstants.PROTOCOL_VERSION_1) {
        object.writeExternal(writer.hooks.stream());
      } else {
        blocks.setBlockMode(true);
        object.writeExternal(writer.hooks.stream());
        endData();
      }
    } finally {
      contexts.end(outer);
    }
    writer.path().leave();
    restore(outerFields);
  }

  private @Nullable PutFields takePutFields() {
    PutFields outer = putFields;
    if (outer != null) {
      putFields = null;
    }
    return outer;
  }

  private void restore(@Nullable PutFields outer) {
    if (putFields != outer) {
      putFields = outer;
    }
  }

  private void endData() throws IOException {
    blocks.setBlockMode(false);
    writer.format().writeToken(Token.END_OF_BLOCKS);
  }

  /** {@link ObjectOutputStream#defaultWriteObject}. */
  public void defaultWriteObject() throws IOException {
    CallbackContext<LocalClass> active = active();
    Object object = active.take();
    blocks.setBlockMode(false);
    boolean written = false;
    try {
      FieldsWriter.writeFields(writer, object, active.level());
      written = true;
    } finally {
      blocks.setBlockMode(written);
    }
  }

  /** {@link ObjectOutputStream#putFields}. */
  public ObjectOutputStream.PutField putFields() throws IOException {
    if (putFields == null) {
      CallbackContext<LocalClass> active = active();
      active.take();
      putFields = new PutFields(writer, active.level());
    }
    return putFields;
  }

  private CallbackContext<LocalClass> active() throws NotActiveException {
    CallbackContext<LocalClass> context = contexts.active();
    if (context == null) {
      throw new NotActiveException("not in call to writeObject");
    }
    return context;
  }

  /** {@link ObjectOutputStream#writeFields}. */
  public void writeFields() throws IOException {
    if (putFields == null) {
      throw new NotActiveException("no current PutField object");
    }
    blocks.setBlockMode(false);
    boolean written = false;
    try {
      putFields.writeTo(writer);
      written = true;
    } finally {
      blocks.setBlockMode(written);
    }
  }
}
