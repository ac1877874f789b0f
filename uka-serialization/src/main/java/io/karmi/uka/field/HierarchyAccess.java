package io.karmi.uka.field;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Access to objects whose fields several classes of the hierarchy declare, or a superclass. */
public final class HierarchyAccess extends ObjectAccess {
  private final Class<?> type;
  private final FieldAccess[] levels;

  /** Access to the lowest class that has content; null if none has. */
  private final @Nullable FieldAccess content;

  /**
   * Access to objects of a class.
   *
   * @param type a class without constructors to run, if instances are to be made
   * @param levels accesses to the classes that have fields, topmost first
   */
  public HierarchyAccess(Class<?> type, FieldAccess[] levels) {
    this.type = type;
    this.levels = levels;
    content = content(levels);
  }

  @Override
  public boolean isProvisional() {
    for (FieldAccess level : levels) {
      if (level.isProvisional()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean hasContent() {
    return content != null;
  }

  @Override
  public int contentHash(Object object) {
    return content == null ? super.contentHash(object) : content.contentHash(object);
  }

  private static @Nullable FieldAccess content(FieldAccess[] levels) {
    for (int i = levels.length - 1; i >= 0; i--) {
      if (levels[i].hasContent()) {
        return levels[i];
      }
    }
    return null;
  }

  @Override
  public void write(FieldSink sink, Object object, long opening, int openingBytes)
      throws IOException {
    sink.buffer.writeLow(opening, openingBytes);
    for (FieldAccess level : levels) {
      level.write(sink, object);
    }
  }

  @Override
  public Object readNew(FieldSource source) throws IOException {
    Object object = allocate(type);
    int handle = source.begin(object);
    levels[0].read(source, object, handle, levels, 1);
    source.end(handle);
    return object;
  }
}
