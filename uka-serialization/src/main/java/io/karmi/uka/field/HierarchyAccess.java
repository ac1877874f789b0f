package io.karmi.uka.field;

import java.io.IOException;

/**
 * Access to objects whose fields several classes of their hierarchy declare, or one above theirs.
 */
public final class HierarchyAccess extends ObjectAccess {
  private final Class<?> type;
  private final FieldAccess[] levels;

  /**
   * Access to objects of a class.
   *
   * @param type of which to make an instance is nothing but to take memory, if any is to be made
   * @param levels the fields of the classes that have any, topmost first
   */
  public HierarchyAccess(Class<?> type, FieldAccess[] levels) {
    this.type = type;
    this.levels = levels;
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
