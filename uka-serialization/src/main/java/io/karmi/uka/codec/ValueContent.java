package io.karmi.uka.codec;

import io.karmi.uka.field.ContentHash;

/** Content of the platform's values, whose own hash is cheap: no more than their parts take. */
final class ValueContent extends ContentHash {
  static final ValueContent INSTANCE = new ValueContent();

  private ValueContent() {}

  @Override
  public boolean hasContent() {
    return true;
  }

  @Override
  public int contentHash(Object object) {
    return object.hashCode();
  }
}
