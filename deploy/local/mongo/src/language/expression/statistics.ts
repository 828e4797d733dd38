import { makeAccumulator } from '../stages/accumulators.js';
import type { OperatorReader, OperatorTable } from './args.js';

/** `$sum`, `$avg`… outside of `$group`: over the elements of one array operand, or over several operands. */
const over: OperatorReader = (operand, { parse }, name) => {
  const operands = Array.isArray(operand) ? operand.map((each) => parse(each)) : [parse(operand)];
  return (root, variables) => {
    const values = operands.map((expression) => expression(root, variables));
    const list = values.length === 1 && Array.isArray(values[0]) ? (values[0] as unknown[]) : values;
    const accumulator = makeAccumulator(name);
    for (const value of list) accumulator.add(value);
    return accumulator.result();
  };
};

export const STATISTICS: OperatorTable = {
  $sum: over,
  $avg: over,
  $min: over,
  $max: over,
  $stdDevPop: over,
  $stdDevSamp: over,
};
