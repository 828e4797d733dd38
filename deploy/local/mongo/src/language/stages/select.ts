import { fail } from '../errors.js';
import { compileFilter } from '../filter.js';
import { compileSort } from '../sort.js';
import { countOfStage, documentOfStage, type StageReader } from './stage.js';

export const matchStage: StageReader = (specification, variables, name) => {
  const { matches } = compileFilter(documentOfStage(specification, name, 15959), variables);
  return function* (input) {
    for (const document of input) if (matches(document)) yield document;
  };
};

export const sortStage: StageReader = (specification, _variables, name) => {
  const sort = documentOfStage(specification, name, 15973);
  if (Object.keys(sort).length === 0) fail(15976, '$sort stage must have at least one sort key');
  const compare = compileSort(sort);
  return (input) => [...input].sort(compare);
};

export const limitStage: StageReader = (specification, _variables, name) => {
  const limit = countOfStage(specification, name, 15958, 1);
  return function* (input) {
    let left = limit;
    for (const document of input) {
      yield document;
      left -= 1;
      if (left === 0) return;
    }
  };
};

export const skipStage: StageReader = (specification, _variables, name) => {
  const skip = countOfStage(specification, name, 5107200, 0);
  return function* (input) {
    let left = skip;
    for (const document of input) {
      if (left > 0) left -= 1;
      else yield document;
    }
  };
};
