/**
 * What methods of the platform's classes cost that go through objects of a message: {@link
 * io.karmi.uka.engine.read.cost.HashCost}, {@link io.karmi.uka.engine.read.cost.ComparatorCost} and
 * {@link io.karmi.uka.engine.read.cost.ContentCost} count steps against one {@link
 * io.karmi.uka.engine.read.cost.StepBudget}.
 */
@NullMarked
package io.karmi.uka.engine.read.cost;

import org.jspecify.annotations.NullMarked;
