package io.karmi.flink;

import io.karmi.uka.records.NumberedClasses;
import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/**
 * Snapshot of a {@link UkaTypeSerializer} in a savepoint: the name of its class, and the table of
 * classes that its records were written with.
 *
 * <p>If classes have changed since, in ways that {@code java.io} allows, Flink reads the state with
 * the kept table and writes it again; otherwise it is told that the state does not fit.
 */
public final class UkaTypeSnapshot<T> implements TypeSerializerSnapshot<T> {
  private static final System.Logger LOG = System.getLogger(UkaTypeSnapshot.class.getName());
  private static final int VERSION = 1;

  private @Nullable String className;
  private @Nullable Kept kept;

  /** Of which this is the snapshot; null for one that was read. */
  private @Nullable UkaTypeSerializer<T> serializer;

  /** The loader of the job that restores the state. */
  private @Nullable ClassLoader loader;

  /** Made by Flink, before it reads a snapshot. */
  public UkaTypeSnapshot() {}

  UkaTypeSnapshot(UkaTypeSerializer<T> serializer, NumberedClasses table) {
    this.serializer = serializer;
    className = serializer.type().getName();
    kept = new Kept(table.count(), table.bytes());
    loader = serializer.type().getClassLoader();
  }

  /**
   * A table of classes as it was.
   *
   * @param count of objects in it
   * @param bytes not to be changed
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Kept(int count, byte[] bytes) implements Serializable {
    private static final long serialVersionUID = 1;

    NumberedClasses table() {
      return NumberedClasses.kept(bytes);
    }
  }

  private Kept kept() {
    if (kept == null) {
      throw new IllegalStateException("the snapshot was not read");
    }
    return kept;
  }

  @Override
  public int getCurrentVersion() {
    return VERSION;
  }

  @Override
  public void writeSnapshot(DataOutputView out) throws IOException {
    out.writeUTF(String.valueOf(className));
    out.writeInt(kept().count());
    out.writeInt(kept().bytes().length);
    out.write(kept().bytes());
  }

  @Override
  public void readSnapshot(int version, DataInputView in, ClassLoader ofJob) throws IOException {
    if (version != VERSION) {
      throw new IOException(
          "snapshot of version " + version + "; this UkaTypeSerializer knows " + VERSION);
    }
    className = in.readUTF();
    int count = in.readInt();
    int length = in.readInt();
    if (count < 0 || length < 0 || count > length) {
      throw RecordInput.damaged(
          "a snapshot of " + className + " with " + count + " types in " + length + " bytes", null);
    }
    byte[] bytes = RecordInput.readFully(in, length);
    kept = new Kept(count, bytes);
    loader = ofJob;
  }

  @Override
  @SuppressWarnings("unchecked")
  public TypeSerializer<T> restoreSerializer() {
    try {
      Class<T> type = (Class<T>) Class.forName(className, false, loader);
      return new UkaTypeSerializer<>(type, kept());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(
          "state of " + className + " cannot be restored: the class is missing in the job", e);
    }
  }

  @Override
  public TypeSerializerSchemaCompatibility<T> resolveSchemaCompatibility(
      TypeSerializerSnapshot<T> before) {
    if (!(before instanceof UkaTypeSnapshot)
        || !String.valueOf(className).equals(((UkaTypeSnapshot<T>) before).className)) {
      return incompatible("the state is of " + typeOf(before), null);
    }
    Kept earlier = ((UkaTypeSnapshot<T>) before).kept();
    if (Arrays.equals(earlier.bytes(), kept().bytes())) {
      return TypeSerializerSchemaCompatibility.compatibleAsIs();
    }
    try {
      ClassLoader own = loader != null ? loader : Thread.currentThread().getContextClassLoader();
      RecordInput.withTable(earlier.table(), own);
      return TypeSerializerSchemaCompatibility.compatibleAfterMigration();
    } catch (IOException e) {
      return incompatible("the state does not fit the class as it is now: " + e, e);
    }
  }

  private String typeOf(TypeSerializerSnapshot<T> before) {
    return before instanceof UkaTypeSnapshot
        ? "the class " + ((UkaTypeSnapshot<T>) before).className
        : "another serializer, whose snapshot is a " + before.getClass().getName();
  }

  private TypeSerializerSchemaCompatibility<T> incompatible(
      String reason, @Nullable Exception cause) {
    LOG.log(System.Logger.Level.WARNING, "state for " + className + ": " + reason, cause);
    if (serializer != null) {
      serializer.refuses(reason);
    }
    return TypeSerializerSchemaCompatibility.incompatible();
  }
}
