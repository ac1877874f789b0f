package io.karmi.uka.field;

import java.io.IOException;

/** Access to objects whose fields several classes of the hierarchy declare, or a superclass. */
public final class HierarchyAccess extends ObjectAccess {
  private final Class<?> type;
  private final FieldAccess[] levels;

  /**
   * Access to objects of a class.
   *
   * @param type a class without constructors to run, if instances are to be made
   * @param levels accesses to the classes that have fields, topmost first
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
